// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * Files to be moved together, on somebody's behalf. The first that fails for good ends the request, unless the others go on.
 *
 * @param id the same at every start of the service: letters, digits and hyphens, at most 64
 * @param job that what is remembered of it is forgotten with
 * @param owner the subject whose credential and share it uses
 * @param account the local account whose files it touches
 * @param credential the key of the delegated one; absent where none is named
 * @param concurrency how many at once; 0 where the site's default holds
 * @param maxAttempts of each; 0 where the site's default holds
 * @param allOrNone whether a failure has the copies deleted that were made before
 * @param lrm of the job, for file servers of that LRM; absent if there is none
 * @param othersGoOn whether the other transfers are made although one has failed; with allOrNone they are not
 */
public record TransferRequest(
        String id,
        JobId job,
        String owner,
        String account,
        @Nullable String credential,
        List<TransferTask> tasks,
        int concurrency,
        int maxAttempts,
        boolean allOrNone,
        @Nullable String lrm,
        boolean othersGoOn) {

    public TransferRequest {
        if (!id.matches("[0-9A-Za-z-]{1,64}")) {
            throw new IllegalArgumentException("not the id of a request: " + id);
        }
        requireNonNull(job, "job is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(account, "account is null");
        tasks = List.copyOf(tasks);
    }

    /** One that its first failure ends. */
    public TransferRequest(
            String id,
            JobId job,
            String owner,
            String account,
            @Nullable String credential,
            List<TransferTask> tasks,
            int concurrency,
            int maxAttempts,
            boolean allOrNone) {
        this(id, job, owner, account, credential, tasks, concurrency, maxAttempts, allOrNone, null, false);
    }

    boolean endsWithFirstFailure() {
        return allOrNone || !othersGoOn;
    }
}
