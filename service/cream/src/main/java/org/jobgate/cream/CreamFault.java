// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultOrigin;
import org.jobgate.soap.SoapFaultException;
import org.jobgate.xml.XmlWriter;

/** A fault of CREAM2: it answers a whole request, or one job of many in the answer itself. */
final class CreamFault extends RuntimeException {

    private final FaultKind kind;
    private final String operation;
    private final String cause;
    private final FaultOrigin origin;

    /**
     * @param operation by which it came, e.g. {@code JobStart}
     * @param description what is wrong
     * @param cause why, or what to do
     */
    CreamFault(FaultKind kind, String operation, String description, String cause) {
        this(kind, operation, description, cause, FaultOrigin.USER);
    }

    private CreamFault(FaultKind kind, String operation, String description, String cause, FaultOrigin origin) {
        super(requireNonNull(description, "description is null"));
        this.kind = requireNonNull(kind, "kind is null");
        this.operation = requireNonNull(operation, "operation is null");
        this.cause = cause.isBlank() ? CreamNames.NOT_AVAILABLE : cause;
        this.origin = origin;
    }

    static CreamFault invalid(String operation, String description, String cause) {
        return new CreamFault(FaultKind.INVALID_ARGUMENT, operation, description, cause);
    }

    /** What the core refuses, as the fault of a whole request. */
    static CreamFault ofRequest(String operation, Fault fault) {
        if (operation.equals("JobRegister") && isForLater(fault)) {
            return disabled(fault);
        }
        FaultKind kind = switch (fault.code()) {
            case NOT_AUTHORIZED -> FaultKind.AUTHORIZATION;
            case SHUTTING_DOWN -> FaultKind.GENERIC;
            default ->
                switch (fault.origin()) {
                    case USER, CREDENTIAL, LIMIT ->
                        takesArguments(operation) ? FaultKind.INVALID_ARGUMENT : FaultKind.GENERIC;
                    case SITE, TRANSIENT -> FaultKind.GENERIC;
                };
        };
        return of(kind, operation, fault);
    }

    /** Whether the same job may be taken later: it was refused for what is there besides, before anything of it was stored. */
    static boolean isForLater(Fault fault) {
        return fault.later() != null;
    }

    /** The WSDL knows no InvalidArgumentFault of operations without arguments. */
    private static boolean takesArguments(String operation) {
        return switch (operation) {
            case "getServiceInfo", "acceptNewJobSubmissions", "JobList", "getLeaseList" -> false;
            default -> true;
        };
    }

    /** What the core says about a job that may be taken later. */
    static CreamFault disabled(Fault fault) {
        return submissionDisabled((fault.sentence() + " " + fault.remedy()).strip());
    }

    /** No new jobs are taken. */
    static CreamFault submissionDisabled(String why) {
        return new CreamFault(
                FaultKind.SUBMISSION_DISABLED,
                "JobRegister",
                "The CREAM service cannot accept jobs at the moment",
                why,
                FaultOrigin.TRANSIENT);
    }

    /** What the core refuses, as a fault of this kind. */
    static CreamFault of(FaultKind kind, String operation, Fault fault) {
        return new CreamFault(kind, operation, fault.sentence(), fault.remedy(), fault.origin());
    }

    /** The same as part of an answer about many jobs, which has no word for a service that takes no jobs. */
    CreamFault inAnswer() {
        return kind == FaultKind.SUBMISSION_DISABLED
                ? new CreamFault(FaultKind.GENERIC, operation, description(), cause, origin)
                : this;
    }

    FaultKind kind() {
        return kind;
    }

    /** Writes its element. */
    void write(XmlWriter out, Instant now) {
        out.open(CreamNames.types(kind.element()));
        out.element(CreamNames.types("MethodName"), methodName());
        out.element(CreamNames.types("Timestamp"), CreamNames.time(now));
        out.element(CreamNames.types("ErrorCode"), kind.code());
        out.element(CreamNames.types("Description"), description());
        out.element(CreamNames.types("FaultCause"), cause);
        out.close();
    }

    /** The same as the answer to a request. */
    SoapFaultException soap(Instant now) {
        String text = cause.equals(CreamNames.NOT_AVAILABLE) ? description() : String.join(" ", description(), cause);
        return new SoapFaultException(SoapFaultException.Code.of(origin), text, out -> write(out, now));
    }

    String description() {
        return requireNonNull(getMessage());
    }

    /** As CREAM says it: {@code jobRegister}. */
    private String methodName() {
        return Character.toLowerCase(operation.charAt(0)) + operation.substring(1);
    }
}
