// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.util.List;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** Faults of CREAM as its commands show them. */
public final class CreamFaults {

    private static final List<String> PARTS =
            List.of("MethodName", "ErrorCode", "Description", "FaultCause", "Timestamp");

    private CreamFaults() {}

    /** A text of a service, which must not move the cursor of a terminal. */
    public static String plain(String text) {
        return text.replaceAll("[\\p{Cc}&&[^\n\t]]", "?");
    }

    /** {@code MethodName=[...] ErrorCode=[...] Description=[...] FaultCause=[...] Timestamp=[...]}. */
    public static String text(XmlElement fault) {
        StringBuilder text = new StringBuilder();
        for (String part : PARTS) {
            String value = fault.childText(CreamClient.TYPES, part);
            if (value == null) {
                continue;
            }
            String shown = part.equals("Timestamp") ? CreamTime.asCtime(value) : value;
            text.append(text.isEmpty() ? "" : " ")
                    .append(part)
                    .append("=[")
                    .append(plain(shown))
                    .append(']');
        }
        return text.isEmpty() ? fault.name() : text.toString();
    }

    /** The text of a SOAP fault: that of the fault of CREAM or of the delegation in it; else its own sentence. */
    public static String ofSoap(XmlElement fault) {
        XmlElement detail = fault.child("", "detail");
        for (XmlElement typed : detail == null ? List.<XmlElement>of() : detail.children()) {
            if (typed.child(CreamClient.TYPES, "MethodName") != null) {
                return text(typed);
            }
            String message = message(typed);
            if (message != null) {
                return message;
            }
        }
        String sentence = fault.childText("", "faultstring");
        return sentence == null || sentence.isEmpty() ? "the service gave no reason" : sentence;
    }

    private static @Nullable String message(XmlElement fault) {
        for (XmlElement child : fault.children()) {
            if (child.name().equals("msg") && !child.text().isBlank()) {
                return child.text().strip();
            }
        }
        return null;
    }

    /** The fault in a result of one job, if there is one. */
    public static @Nullable XmlElement in(XmlElement result) {
        for (XmlElement child : result.children()) {
            if (child.name().endsWith("Fault")) {
                return child;
            }
        }
        return null;
    }
}
