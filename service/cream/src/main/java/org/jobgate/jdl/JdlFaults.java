// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;

/**
 * What can be wrong with a JDL text. The sentences are the causes that CREAM gives, word for word where it has one: programs of users look
 * for them.
 */
final class JdlFaults {

    private static final String REMEDY = "Correct the JDL and submit it again.";

    private static final int SHOWN_CHARACTERS = 120;

    private JdlFaults() {}

    /** A rule that a whole JDL breaks. */
    static FaultException invalid(String sentence) {
        return new FaultException(Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, REMEDY));
    }

    /** A rule that the value of an attribute breaks. */
    static FaultException invalid(String attribute, String value, String sentence) {
        return new FaultException(
                Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, REMEDY).about(attribute, shown(value)));
    }

    /** What CREAM knows and this gateway cannot do. */
    static FaultException unsupported(String attribute, String value, String why, String remedy) {
        return new FaultException(
                Fault.of(FaultCode.UNSUPPORTED_FEATURE, attribute + ": not supported here: " + why, remedy)
                        .about(attribute, shown(value)));
    }

    static String shown(String value) {
        String safe = value.replaceAll("\\p{Cntrl}", "?");
        return ShortText.of(safe, SHOWN_CHARACTERS);
    }
}
