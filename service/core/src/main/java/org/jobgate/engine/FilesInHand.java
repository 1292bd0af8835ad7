// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jobgate.job.Fault;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that are being moved for jobs. Moving takes as long as it takes, so no worker of a stage waits for it; a job that comes to the
 * stage once more meanwhile is left alone.
 */
final class FilesInHand {

    private static final Logger LOG = LoggerFactory.getLogger(FilesInHand.class);

    private record InHand(String stage, JobId job) {}

    private final Set<InHand> inHand = ConcurrentHashMap.newKeySet();

    /**
     * Begins to move files unless that was begun before, and hands on what came of it, on the thread that it came on.
     *
     * @param isDue whether the job is at this stage; asked when nobody else can move its files any more, for those who did may have come to
     *     the end since the caller looked
     */
    void move(
            WorkQueue pool,
            JobId job,
            BooleanSupplier isDue,
            Supplier<CompletableFuture<Optional<Fault>>> moving,
            BiFunction<JobId, Optional<Fault>, CompletableFuture<?>> afterwards) {
        InHand it = new InHand(pool.name(), job);
        if (!inHand.add(it)) {
            return;
        }
        CompletableFuture<Optional<Fault>> moved;
        try {
            if (!isDue.getAsBoolean()) {
                inHand.remove(it);
                return;
            }
            moved = moving.get();
        } catch (RuntimeException e) {
            inHand.remove(it);
            throw e;
        }
        CompletableFuture<?> unused = moved.thenCompose(fault -> afterwards.apply(job, fault))
                .whenComplete((done, failure) -> {
                    // not before it is written what comes next: no job comes back to a stage that it has left
                    inHand.remove(it);
                    if (failure != null) {
                        LoggedJob.says(
                                job,
                                () -> LOG.error(
                                        "Stage {} failed on {}; it is looked at again", pool.name(), job, failure));
                        pool.lookAgain();
                    }
                });
    }
}
