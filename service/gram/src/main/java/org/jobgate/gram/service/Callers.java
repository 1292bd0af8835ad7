// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.function.Function;
import org.jobgate.gram.soap.SoapCall;
import org.jobgate.gram.soap.SoapFaultException;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;

/** Who calls, and which resource he means. */
final class Callers {

    private final Generation generation;

    Callers(Generation generation) {
        this.generation = generation;
    }

    /** A job as a caller names it: it may not exist. */
    record NamedJob(String subject, JobId id) {}

    /**
     * Who calls.
     *
     * @throws FaultException of code {@code NOT_AUTHORIZED} for an anonymous caller
     */
    Identity identity(SoapCall call) {
        Identity identity = call.identity();
        if (identity == null) {
            throw new FaultException(Fault.of(
                    FaultCode.NOT_AUTHORIZED,
                    "The request came without a credential that says who sends it.",
                    "Connect with a client certificate or proxy that this gateway trusts."));
        }
        return identity;
    }

    /**
     * The job that the request's header names.
     *
     * @param unknown makes the fault for a key that can be no job's
     */
    NamedJob job(SoapCall call, Function<String, SoapFaultException> unknown) {
        String subject = identity(call).subject();
        String key = call.headerText(generation.job("ResourceID"))
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "The SOAP header " + generation.job("ResourceID")
                                        + " is missing: it says which job is meant, as in the endpoint reference that the submission answered."));
        try {
            return new NamedJob(subject, JobId.parse(key));
        } catch (IllegalArgumentException e) {
            throw unknown.apply("job " + (key.length() <= 60 ? key : key.substring(0, 60) + "..."));
        }
    }
}
