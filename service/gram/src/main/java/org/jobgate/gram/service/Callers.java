// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.function.Function;
import org.jobgate.authz.Action;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
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
    private final Authorizer authorizer;

    Callers(Generation generation, Authorizer authorizer) {
        this.generation = generation;
        this.authorizer = authorizer;
    }

    /** For a service without jobs: it asks only who calls. */
    Callers(Generation generation) {
        this(generation, any -> new Decision.Indeterminate("nothing is decided here"));
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
     * Who calls to do this to jobs of his own.
     *
     * @throws FaultException of code {@code NOT_AUTHORIZED} for an anonymous caller, and for one to whom the site's policy objects
     */
    Identity owner(SoapCall call, Action action) {
        Identity identity = identity(call);
        authorizer.objection(identity, action).ifPresent(reason -> {
            throw new FaultException(Fault.of(
                    FaultCode.NOT_AUTHORIZED,
                    identity.subject() + " may not "
                            + (action == Action.QUERY ? "look at" : "cancel, release or prolong") + " jobs here: "
                            + reason
                            + ".",
                    "Ask the site's administrator to be admitted."));
        });
        return identity;
    }

    /**
     * The job that the request's header names, for its owner.
     *
     * @param action what he is to do to it
     * @param unknown makes the fault for a key that can be no job's
     * @throws FaultException as {@link #owner}
     */
    NamedJob job(SoapCall call, Action action, Function<String, SoapFaultException> unknown) {
        String subject = owner(call, action).subject();
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
