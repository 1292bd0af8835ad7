// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.Collection;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.NearestName;
import org.jobgate.job.ShortText;

/** What can be wrong with a job description. */
final class JddFaults {

    private static final String REMEDY = "Correct the job description and submit it again.";

    private static final int SHOWN_CHARACTERS = 120;

    private JddFaults() {}

    static FaultException invalid(String element, String value, String rule) {
        String shown = shown(value);
        String sentence = value.isEmpty()
                ? "The element " + element + " of the job description is wrong: " + rule + "."
                : "The element " + element + " of the job description is wrong, its value is '" + shown + "': " + rule
                        + ".";
        return new FaultException(
                Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, REMEDY).about(element, shown));
    }

    /** An element that no job description has where it stands; the nearest of those that may stand there is named. */
    static FaultException unknown(String where, String element, Collection<String> known) {
        String shown = shown(element);
        String advice = NearestName.to(element, known)
                .map(name -> "Did you mean " + name + "? ")
                .orElse("");
        return new FaultException(Fault.of(
                        FaultCode.INVALID_DESCRIPTION,
                        "The element " + shown + " of the job description is wrong: there is no such element in "
                                + where + ".",
                        advice + REMEDY)
                .about(shown, ""));
    }

    static FaultException repeated(String element, int count) {
        return invalid(element, "", "it may be given once, and is given " + count + " times");
    }

    static FaultException unsupported(String element, String sentence, String remedy) {
        return new FaultException(
                Fault.of(FaultCode.UNSUPPORTED_FEATURE, sentence, remedy).about(element, element));
    }

    private static String shown(String value) {
        String safe = value.replaceAll("\\p{Cntrl}", "?");
        return ShortText.of(safe, SHOWN_CHARACTERS);
    }
}
