// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.List;
import java.util.Optional;
import org.jobgate.authz.Authorizer;
import org.jobgate.authz.Decision;
import org.jobgate.identity.Identity;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;

/** Whether somebody may submit jobs, and as which local account. */
final class Authorization {

    private static final String ASK = "Ask the site's administrator to be admitted.";

    private final Authorizer authorizer;

    Authorization(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * The accounts that he may use, the default first.
     *
     * @throws FaultException of code {@code NOT_AUTHORIZED}
     */
    List<String> accounts(Identity identity) {
        if (identity.limited()) {
            throw denied(identity, "a limited proxy may not start jobs", "Use a full proxy.");
        }
        return switch (authorizer.decide(identity)) {
            case Decision.Permit permit -> permit.accounts();
            case Decision.Deny deny -> throw denied(identity, deny.reason(), ASK);
            case Decision.Indeterminate unclear -> throw denied(identity, unclear.reason(), ASK);
        };
    }

    private static FaultException denied(Identity identity, String reason, String remedy) {
        return new FaultException(Fault.of(
                FaultCode.NOT_AUTHORIZED, identity.subject() + " may not submit jobs here: " + reason + ".", remedy));
    }

    /** The account that a job runs as. */
    static String account(List<String> accounts, Optional<String> wanted) {
        String account = wanted.orElse(accounts.getFirst());
        if (!accounts.contains(account)) {
            throw new FaultException(Fault.of(
                            FaultCode.NOT_AUTHORIZED,
                            "Requested local user ID " + account + " is not authorized.",
                            "Leave localUserId out, or name one of: " + String.join(", ", accounts) + ".")
                    .about("localUserId", account));
        }
        return account;
    }
}
