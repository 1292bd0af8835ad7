// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Owner;

/** The permission of one sender to start jobs as some local accounts. Only {@link Caller#submit} makes it, so nobody submits without having been asked about. */
public final class JobPermit {

    private final String subject;
    private final List<String> accounts;

    JobPermit(String subject, List<String> accounts) {
        this.subject = requireNonNull(subject, "subject is null");
        this.accounts = List.copyOf(accounts);
    }

    /** Who will own the jobs. */
    public String subject() {
        return subject;
    }

    /**
     * The account that a job runs as.
     *
     * @param wanted the one that the description names; the sender's first where it names none
     * @throws FaultException of code {@code NOT_AUTHORIZED} where it is none of the sender's
     */
    public String account(Optional<String> wanted) {
        String account = wanted.orElse(accounts.getFirst());
        if (!accounts.contains(account)) {
            throw new FaultException(Fault.of(
                            FaultCode.NOT_AUTHORIZED,
                            "Requested local user ID " + account + " is not authorized.",
                            "Leave the account out, or name one of: " + String.join(", ", accounts) + ".")
                    .about(DescriptionPart.ACCOUNT, account));
        }
        return account;
    }

    /** The owner of a job that runs as this account. */
    Owner owner(String account) {
        return new Owner(subject, account(Optional.of(account)));
    }
}
