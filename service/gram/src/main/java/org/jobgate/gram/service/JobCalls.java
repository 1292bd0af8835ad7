// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobId;
import org.jobgate.job.ShortText;
import org.jobgate.soap.SoapCall;
import org.jobgate.soap.SoapFaultException;

/** Finds the caller of a request, and the job that the request's header names. */
final class JobCalls {

    private final Generation generation;
    private final Access access;

    JobCalls(Generation generation, Access access) {
        this.generation = requireNonNull(generation, "generation is null");
        this.access = requireNonNull(access, "access is null");
    }

    /** A job as a caller names it: it may not exist, and the caller may not be its owner. */
    record NamedJob(Caller caller, JobId id) {}

    Caller caller(SoapCall call) {
        return access.caller(call.identity());
    }

    /**
     * The id of the job that the request's header names. Whether the caller may use the job is decided by {@link org.jobgate.access.Jobs}.
     *
     * @param unknown makes the fault for a key that can be no job's
     * @throws org.jobgate.job.FaultException of code {@code NOT_AUTHORIZED} for an anonymous caller
     */
    NamedJob job(SoapCall call, Function<String, SoapFaultException> unknown) {
        Caller caller = caller(call);
        caller.identity();
        String key = call.headerText(generation.job("ResourceID"))
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "The SOAP header " + generation.job("ResourceID")
                                        + " is missing: it says which job is meant, as in the endpoint reference that the submission answered."));
        try {
            return new NamedJob(caller, JobId.parse(key));
        } catch (IllegalArgumentException e) {
            throw unknown.apply("job " + ShortText.of(key, 60));
        }
    }
}
