// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * How files are moved.
 *
 * @param active transfers on their way at once, in all
 * @param activePerOwner the same of one subject
 * @param activePerServer the same to or from one server
 * @param concurrency of one request that does not say its own
 * @param activePerRequest the most that a request may say
 * @param attempts that one transfer gets where the job does not say
 * @param maxAttempts the most that a job may say
 * @param firstRetry the time between a first failure and the next attempt; doubled with each further one
 * @param slowestRetry the longest time between two attempts
 * @param failuresToPause after so many failures of a server in a row it is left alone for a while
 * @param idleTimeout how long an attempt may wait for a server or move nothing
 * @param markInterval between two markers of one transfer that are written to the store
 * @param entries files and directories that the directories of one request may hold
 * @param appendInterval how often a file that is followed is looked at
 * @param appendBytes the most that is appended in one turn; where there is more the next turn comes at once
 */
public record TransferSettings(
        Limit active,
        Limit activePerOwner,
        Limit activePerServer,
        int concurrency,
        Limit activePerRequest,
        int attempts,
        Limit maxAttempts,
        Duration firstRetry,
        Duration slowestRetry,
        int failuresToPause,
        Duration idleTimeout,
        Duration markInterval,
        Limit entries,
        Duration appendInterval,
        long appendBytes) {

    private static final Duration APPEND_INTERVAL = Duration.ofSeconds(10);
    private static final long APPEND_BYTES = 16L << 20;

    public TransferSettings {
        requireNonNull(firstRetry, "firstRetry is null");
        requireNonNull(slowestRetry, "slowestRetry is null");
        requireNonNull(idleTimeout, "idleTimeout is null");
        requireNonNull(markInterval, "markInterval is null");
        requireNonNull(appendInterval, "appendInterval is null");
        if (appendBytes < 1) {
            throw new IllegalArgumentException("at least one byte must be appended in a turn");
        }
        if (active.value() < 1 || activePerOwner.value() < 1 || activePerServer.value() < 1 || failuresToPause < 1) {
            throw new IllegalArgumentException("limits of transfers must be at least 1");
        }
    }

    /** Files that are followed are treated in the default way. */
    public TransferSettings(
            Limit active,
            Limit activePerOwner,
            Limit activePerServer,
            int concurrency,
            Limit activePerRequest,
            int attempts,
            Limit maxAttempts,
            Duration firstRetry,
            Duration slowestRetry,
            int failuresToPause,
            Duration idleTimeout,
            Duration markInterval,
            Limit entries) {
        this(
                active,
                activePerOwner,
                activePerServer,
                concurrency,
                activePerRequest,
                attempts,
                maxAttempts,
                firstRetry,
                slowestRetry,
                failuresToPause,
                idleTimeout,
                markInterval,
                entries,
                APPEND_INTERVAL,
                APPEND_BYTES);
    }

    /** The same with other rules for files that are followed. */
    public TransferSettings appending(Duration interval, long bytes) {
        return new TransferSettings(
                active,
                activePerOwner,
                activePerServer,
                concurrency,
                activePerRequest,
                attempts,
                maxAttempts,
                firstRetry,
                slowestRetry,
                failuresToPause,
                idleTimeout,
                markInterval,
                entries,
                interval,
                bytes);
    }

    public static TransferSettings defaults() {
        return new TransferSettings(
                new Limit("staging.maxActive", 30),
                new Limit("staging.maxActivePerOwner", 20),
                new Limit("staging.maxActivePerServer", 20),
                4,
                new Limit("staging.maxActivePerRequest", 10),
                5,
                new Limit("staging.maxAttempts", 20),
                Duration.ofSeconds(2),
                Duration.ofMinutes(5),
                3,
                Duration.ofMinutes(1),
                Duration.ofSeconds(5),
                new Limit("staging.maxEntries", 100_000));
    }

    int concurrencyOf(TransferRequest request) {
        int wanted = request.concurrency() > 0 ? request.concurrency() : concurrency;
        return (int) Math.max(1, Math.min(wanted, activePerRequest.value()));
    }

    int attemptsOf(TransferRequest request, TransferTask task) {
        int wanted = task.attempts() > 0 ? task.attempts() : request.maxAttempts();
        return (int) Math.max(1, Math.min(wanted > 0 ? wanted : attempts, maxAttempts.value()));
    }
}
