// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The service answered with a fault. */
public final class SoapFaultException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int CAUSE_DEPTH_MAX = 20;

    private final String typeName;

    /** How a service of GT 4.2 answers our protocol (facts/gram4.md section 1.3). */
    private static final String ONLY_42 = "Addressing header is a draft version of WS Addressing";

    private SoapFaultException(String typeName, String message) {
        super(message);
        this.typeName = typeName;
    }

    /** Whether the service speaks GT 4.2 only, and was spoken to as one of GT 4.0. */
    boolean asksForNewer() {
        return String.valueOf(getMessage()).startsWith(ONLY_42);
    }

    /** Reads {@code soap:Fault}: the typed fault in its detail says more than the fault string, which some servers leave empty. */
    static SoapFaultException of(XmlElement fault) {
        String faultString = requireNonNull(orEmpty(fault.childText("", "faultstring")));
        XmlElement detail = fault.child("", "detail");
        for (XmlElement typed : detail == null ? List.<XmlElement>of() : detail.children()) {
            String described = describe(typed);
            if (!described.isEmpty() || typed.name().endsWith("Fault")) {
                return new SoapFaultException(typed.name(), described.isEmpty() ? faultString : described);
            }
        }
        return new SoapFaultException("", faultString.isEmpty() ? "the service gave no reason" : faultString);
    }

    /** The descriptions of a base fault, from the outer to the innermost cause (which normally tells most). */
    public static String describe(XmlElement fault) {
        List<String> sentences = new ArrayList<>();
        XmlElement at = fault;
        for (int depth = 0; at != null && depth < CAUSE_DEPTH_MAX; depth++) {
            for (XmlElement child : at.children()) {
                String sentence = child.text().strip();
                if (child.is(Names.BASE_FAULTS, "Description")
                        && !sentence.isEmpty()
                        && !sentences.contains(sentence)) {
                    sentences.add(sentence);
                }
            }
            at = cause(at);
        }
        return String.join(" ", sentences);
    }

    /** GT 4.2 puts the cause, whatever it is called, into an element around it. */
    private static @Nullable XmlElement cause(XmlElement fault) {
        XmlElement cause = fault.child(Names.BASE_FAULTS, "FaultCause");
        if (cause == null || cause.child(Names.BASE_FAULTS, "Description") != null) {
            return cause;
        }
        return cause.children().size() == 1 ? cause.children().getFirst() : cause;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The local name of the typed fault, e.g. {@code invalidPathFault}; empty where it has no type. */
    public String typeName() {
        return typeName;
    }

    /** Whether the resource is gone or never was. */
    public boolean isResourceUnknown() {
        return typeName.equals("ResourceUnknownFault");
    }
}
