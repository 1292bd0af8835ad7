// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.ShortText;

/** What can be wrong with a document. Each names the element by its path. */
final class JsdlFaults {

    private static final String REMEDY = "Correct the document and submit it again.";
    private static final int SHOWN_CHARACTERS = 120;

    private JsdlFaults() {}

    /** The element's value is wrong; an empty one is not shown, nor one of a credential. */
    static FaultException invalid(Node node, String value, String rule) {
        return invalid(node.path(), Secrets.isInside(node) ? "" : value, rule);
    }

    static FaultException invalid(String path, String value, String rule) {
        String shown = shown(value);
        String sentence = value.isEmpty()
                ? "The element " + shownPath(path) + " of the JSDL document is wrong: " + rule + "."
                : "The element " + shownPath(path) + " of the JSDL document is wrong, its value is '" + shown + "': "
                        + rule + ".";
        return new FaultException(
                Fault.of(FaultCode.INVALID_DESCRIPTION, sentence, REMEDY).about(shownPath(path), shown));
    }

    /** The element is right, and cannot be done here. */
    static FaultException unsupported(Node node, String why, String remedy) {
        String path = shownPath(node.path());
        return new FaultException(Fault.of(
                        FaultCode.UNSUPPORTED_FEATURE,
                        "The element " + path + " of the JSDL document cannot be done here: " + why + ".",
                        remedy)
                .about(path, Secrets.isInside(node) ? "" : shown(node.text().strip())));
    }

    /** A value as it may be shown: in one line, and not too long. */
    static String shown(String value) {
        return cut(value.replaceAll("\\p{Cntrl}", "?"), SHOWN_CHARACTERS);
    }

    private static String shownPath(String path) {
        return cut(path.replaceAll("\\p{Cntrl}", "?"), 1_000);
    }

    private static String cut(String text, int most) {
        return ShortText.of(text, most);
    }
}
