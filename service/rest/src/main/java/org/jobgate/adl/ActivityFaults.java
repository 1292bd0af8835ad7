// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.NearestName;
import org.jobgate.job.ShortText;

/** What can be wrong with a description, in the words of its language. */
public final class ActivityFaults {

    /** Faults of ADL, whose parts are elements. */
    public static final ActivityFaults ADL = new ActivityFaults("element");

    /** Faults of xRSL, whose parts are attributes. */
    public static final ActivityFaults XRSL = new ActivityFaults("attribute");

    private static final String REMEDY = "Correct the job description and submit it again.";
    private static final int SHOWN_CHARACTERS = 120;

    private final String kind;

    private ActivityFaults(String kind) {
        this.kind = requireNonNull(kind, "kind is null");
    }

    /** A part whose value breaks a rule; an empty value is not shown. */
    public FaultException invalid(String name, String value, String rule) {
        String shown = shown(value);
        String what = "The " + kind + " " + shown(name) + " of the job description is wrong";
        String sentence =
                value.isEmpty() ? what + ": " + rule + "." : what + ", its value is '" + shown + "': " + rule + ".";
        return new FaultException(
                Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, REMEDY).about(shown(name), shown));
    }

    /** A part that the language does not have there; the nearest that may stand there is named. */
    public FaultException unknown(String where, String name, Collection<String> known) {
        String advice = NearestName.to(name, known)
                .map(near -> "Did you mean " + near + "? ")
                .orElse("");
        return new FaultException(Fault.of(
                        FaultCode.INVALID_DESCRIPTION,
                        "The " + kind + " " + shown(name) + " of the job description is wrong: there is no such " + kind
                                + " in " + where + ".",
                        advice + REMEDY)
                .about(shown(name), ""));
    }

    /** A part that may be given once. */
    public FaultException repeated(String name) {
        return invalid(name, "", "it may be given once, and is given again");
    }

    /** A part that the language has and this gateway cannot do. */
    public FaultException unsupported(String name, String why, String remedy) {
        return new FaultException(Fault.of(
                        FaultCode.UNSUPPORTED_FEATURE,
                        "The " + kind + " " + shown(name) + " of the job description asks for what cannot be had here: "
                                + why + ".",
                        remedy)
                .about(shown(name), shown(name)));
    }

    /** A text that is no description at all. */
    public static FaultException unreadable(String sentence) {
        return new FaultException(Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, REMEDY));
    }

    /** The value in one line of bounded length. */
    public static String shown(String value) {
        String safe = value.replaceAll("\\p{Cntrl}", "?");
        return ShortText.of(safe, SHOWN_CHARACTERS);
    }
}
