// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.authz.Decision;
import org.jobgate.identity.Identity;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.store.DoorRecord;

/** The permission of one sender to start jobs as some local accounts. Only {@link Caller#submit} makes it, so nobody submits without having been asked about. */
public final class JobPermit {

    private final Identity identity;
    private final Decision.Permit decision;

    JobPermit(Identity identity, Decision.Permit decision) {
        this.identity = requireNonNull(identity, "identity is null");
        this.decision = requireNonNull(decision, "decision is null");
    }

    /** The subject that will own the jobs. */
    public String subject() {
        return identity.subject();
    }

    /**
     * The account that a job runs as.
     *
     * @param wanted the one that the description names; the sender's first where it names none
     * @throws FaultException of code {@code NOT_AUTHORIZED} where it is none of the sender's
     */
    public String account(Optional<String> wanted) {
        List<String> accounts = decision.accounts();
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
        return new Owner(subject(), account(Optional.of(account)));
    }

    /** What is to be on record of the sender of the job, or of the group, of this id. */
    DoorRecord sender(JobId id) {
        return SenderRecord.of(identity, decision.because()).of(id, subject());
    }

    /** The submission with what is to be on record of its sender. */
    Submission onRecord(Submission submission) {
        List<DoorRecord> records = new ArrayList<>(submission.records());
        records.add(sender(submission.id()));
        return new Submission(
                submission.id(),
                submission.origin(),
                submission.owner(),
                submission.clientId(),
                submission.lrm(),
                submission.description(),
                submission.terminationTime(),
                submission.keepAfterEnd(),
                records);
    }
}
