// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jobgate.job.Job;
import org.jobgate.job.OnlyTransfers;
import org.jspecify.annotations.Nullable;

/**
 * Where a record of an LRM came from. What comes out of a local account may have been written by a job of that account: it is believed of
 * that account's jobs in that LRM, and of nothing else.
 *
 * @param lrm the name of the LRM
 * @param account the local account that told it; absent where the LRM itself or a program of the site told it
 */
public record LrmSource(String lrm, @Nullable String account) {

    public LrmSource {
        requireNonNull(lrm, "lrm is null");
    }

    /** What a local account tells. */
    public static LrmSource ofAccount(String lrm, String account) {
        return new LrmSource(lrm, requireNonNull(account, "account is null"));
    }

    /** What the LRM as a whole, or the site's own program for it, tells. */
    public static LrmSource ofWhole(String lrm) {
        return new LrmSource(lrm, null);
    }

    /** Why nothing that comes from here can be about the job as it stands; empty where it can. */
    public Optional<String> cannotTellOf(Job job) {
        if (job.lrm().equals(Job.MULTI_LRM)) {
            return Optional.of("it is a multi-job, which no LRM has");
        }
        if (OnlyTransfers.is(job)) {
            return Optional.of("it only moves files, so no LRM has it");
        }
        if (!job.lrm().equals(lrm)) {
            return Optional.of("it is a job of the LRM " + job.lrm());
        }
        if (account != null && !job.owner().account().equals(account)) {
            return Optional.of("it is a job of the account " + job.owner().account());
        }
        if (job.localIds().isEmpty() && !job.inputReady()) {
            return Optional.of("it was not given to the LRM yet");
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return account == null ? "the LRM " + lrm : "the account " + account + " in the LRM " + lrm;
    }
}
