// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import java.util.Map;
import java.util.Set;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.ShortText;
import org.jobgate.xml.XmlElement;

/** The other gateway answered with a fault. */
final class GatewayFaultException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int MAX_SENTENCE = 1_000;

    /** The faults that say that this request will not be done, now or later (facts/gram4.md section 3.10). */
    private static final Map<String, FaultCode> FINAL = Map.of(
            "serviceLevelAgreementFault", FaultCode.INVALID_DESCRIPTION,
            "unsupportedFeatureFault", FaultCode.UNSUPPORTED_FEATURE,
            "invalidPathFault", FaultCode.EXECUTABLE_NOT_FOUND,
            "filePermissionsFault", FaultCode.EXECUTABLE_NOT_PERMITTED,
            "invalidCredentialsFault", FaultCode.CREDENTIAL_UNUSABLE,
            "executionFailedFault", FaultCode.EXECUTION_FAILED,
            "stagingFault", FaultCode.STAGING_FAILED);

    /** GRAM2's numbers of those that have no type of their own: not authorized, no such LRM. */
    private static final Map<String, FaultCode> FINAL_NUMBERS =
            Map.of("7", FaultCode.NOT_AUTHORIZED, "93", FaultCode.UNKNOWN_LRM);

    private static final Set<String> UNKNOWN = Set.of("ResourceUnknownFault", "NoSuchResourceFault");

    private final String type;
    private final String number;

    private GatewayFaultException(String type, String number, String sentence) {
        super(sentence);
        this.type = type;
        this.number = number;
    }

    /** Reads a SOAP fault. */
    static GatewayFaultException of(XmlElement soapFault) {
        XmlElement typed = soapFault
                .child("detail")
                .flatMap(detail -> detail.children().stream().findFirst())
                .orElse(soapFault);
        return ofTyped(
                typed,
                soapFault.child("faultstring").map(XmlElement::trimmedText).orElse(""));
    }

    /** Reads a typed fault, as it stands in a detail or in the property of a job. */
    static GatewayFaultException ofTyped(XmlElement typed, String otherwise) {
        String sentence = typed.child("Description")
                .map(XmlElement::trimmedText)
                .filter(text -> !text.isEmpty())
                .orElse(otherwise);
        String number = typed.child("gt2ErrorCode").map(XmlElement::trimmedText).orElse("");
        return new GatewayFaultException(typed.localName(), number, readable(sentence));
    }

    private static String readable(String text) {
        String line =
                text.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\p{Cf}\\s]+", " ").strip();
        String said = line.isEmpty() ? "it gives no reason" : line;
        return ShortText.of(said, MAX_SENTENCE);
    }

    /** Whether the job is not there, or not to be seen by who asked. */
    boolean isUnknown() {
        return UNKNOWN.contains(type);
    }

    /** Whether the request would be answered so again. */
    boolean isFinal() {
        return FINAL.containsKey(type) || FINAL_NUMBERS.containsKey(number);
    }

    String sentence() {
        return String.valueOf(getMessage());
    }

    /** The same as a fault of the job here. */
    Fault fault(String gateway) {
        FaultCode code = FINAL.getOrDefault(type, FINAL_NUMBERS.getOrDefault(number, FaultCode.EXECUTION_FAILED));
        return Fault.of(
                code,
                "The gateway " + gateway + " says: " + sentence(),
                "Mend what it names there, and submit the job again.");
    }
}
