// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.util.List;
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

/** Who calls, and whether he may: as for jobs, for files are moved with the rights of a local account. */
final class RftCallers {

    private static final String ASK = "Ask the site's administrator to be admitted.";

    private final Authorizer authorizer;

    RftCallers(Authorizer authorizer) {
        this.authorizer = requireNonNull(authorizer, "authorizer is null");
    }

    /** @throws FaultException of code {@code NOT_AUTHORIZED} for an anonymous caller */
    static Identity identity(SoapCall call) {
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
     * The local account that his files are moved as.
     *
     * @throws FaultException of code {@code NOT_AUTHORIZED}
     */
    String account(Identity identity) {
        return switch (authorizer.decide(identity, Action.SUBMIT)) {
            case Decision.Permit permit -> accountOf(permit.accounts());
            case Decision.Deny deny -> throw denied(identity, "have files moved", deny.reason());
            case Decision.Indeterminate unclear -> throw denied(identity, "have files moved", unclear.reason());
        };
    }

    private static String accountOf(List<String> accounts) {
        return accounts.getFirst();
    }

    /**
     * Who calls to do this to requests of his own.
     *
     * @throws FaultException of code {@code NOT_AUTHORIZED}
     */
    String owner(SoapCall call, Action action) {
        Identity identity = identity(call);
        authorizer.objection(identity, action).ifPresent(reason -> {
            throw denied(
                    identity,
                    action == Action.QUERY ? "look at requests to move files" : "change requests to move files",
                    reason);
        });
        return identity.subject();
    }

    private static FaultException denied(Identity identity, String what, String reason) {
        return new FaultException(Fault.of(
                FaultCode.NOT_AUTHORIZED, identity.subject() + " may not " + what + " here: " + reason + ".", ASK));
    }

    /** The request that the header names. */
    static String key(SoapCall call, Generation generation) {
        return call.headerText(generation.transfer(RftNames.KEY))
                .filter(key -> key.length() <= 128)
                .orElseThrow(
                        () -> SoapFaultException.client(
                                "The SOAP header " + generation.transfer(RftNames.KEY)
                                        + " is missing: it says which request is meant. Repeat in it what the endpoint reference holds."));
    }
}
