// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * How files are moved.
 *
 * @param atOnce how many
 * @param tries how often, and how patiently
 * @param markInterval between two markers of one transfer that are written to the store
 * @param entries files and directories that the directories of one request may hold
 * @param following how files that are being written are sent
 */
public record TransferSettings(AtOnce atOnce, Tries tries, Duration markInterval, Limit entries, Following following) {

    public TransferSettings {
        requireNonNull(atOnce, "atOnce is null");
        requireNonNull(tries, "tries is null");
        requireNonNull(markInterval, "markInterval is null");
        requireNonNull(entries, "entries is null");
        requireNonNull(following, "following is null");
    }

    /**
     * How many transfers are on their way at the same time.
     *
     * @param all of those over networks
     * @param perOwner those of one subject
     * @param perServer those to or from one server
     * @param perRequest those of one request that does not say its own
     * @param mostPerRequest the most that a request may say
     * @param local of those that stay on this machine, which are not among {@code all}
     * @param kept how long a transfer keeps its place though its owner has more than an equal part of the places and others wait
     */
    public record AtOnce(
            Limit all,
            Limit perOwner,
            Limit perServer,
            int perRequest,
            Limit mostPerRequest,
            Limit local,
            Duration kept) {

        public AtOnce {
            if (all.value() < 1 || perOwner.value() < 1 || perServer.value() < 1 || local.value() < 1) {
                throw new IllegalArgumentException("limits of transfers must be at least 1");
            }
        }

        public static AtOnce defaults() {
            return new AtOnce(
                    new Limit("staging.maxActive", 30),
                    new Limit("staging.maxActivePerOwner", 20),
                    new Limit("staging.maxActivePerServer", 20),
                    4,
                    new Limit("staging.maxActivePerRequest", 10),
                    new Limit("staging.maxActiveLocal", 10),
                    Duration.ofSeconds(30));
        }

        int of(TransferRequest request) {
            int wanted = request.concurrency() > 0 ? request.concurrency() : perRequest;
            return (int) Math.max(1, Math.min(wanted, mostPerRequest.value()));
        }
    }

    /**
     * How often a transfer is tried.
     *
     * @param attempts that one gets where the job does not say
     * @param maxAttempts the most that a job may say
     * @param firstPause the time between a first failure and the next attempt; doubled with each further one
     * @param longestPause the longest time between two attempts
     * @param failuresToPause after so many failures of a server in a row it is left alone for a while
     * @param idleTimeout how long an attempt may wait for a server or move nothing
     * @param leastRate bytes that an attempt must move in each second, measured over one and a half of that time; 0 asks for none
     */
    public record Tries(
            int attempts,
            Limit maxAttempts,
            Duration firstPause,
            Duration longestPause,
            int failuresToPause,
            Duration idleTimeout,
            long leastRate) {

        public Tries {
            requireNonNull(firstPause, "firstPause is null");
            requireNonNull(longestPause, "longestPause is null");
            requireNonNull(idleTimeout, "idleTimeout is null");
            if (failuresToPause < 1) {
                throw new IllegalArgumentException("a server is not left alone before it has failed once");
            }
        }

        public static Tries defaults() {
            return new Tries(
                    5,
                    new Limit("staging.maxAttempts", 20),
                    Duration.ofSeconds(2),
                    Duration.ofMinutes(5),
                    3,
                    Duration.ofMinutes(1),
                    1024);
        }

        /** The same with other pauses. */
        public Tries withPauses(Duration first, Duration longest) {
            return new Tries(attempts, maxAttempts, first, longest, failuresToPause, idleTimeout, leastRate);
        }

        int of(TransferRequest request, TransferTask task) {
            int wanted = task.attempts() > 0 ? task.attempts() : request.maxAttempts();
            return (int) Math.max(1, Math.min(wanted > 0 ? wanted : attempts, maxAttempts.value()));
        }
    }

    /**
     * How a file is sent that is being written.
     *
     * @param interval how often it is looked at
     * @param bytes the most that is sent in one turn; where there is more the next turn comes at once
     * @param files the most whose slices are sent of one job
     */
    public record Following(Duration interval, long bytes, int files) {

        public Following {
            requireNonNull(interval, "interval is null");
            if (bytes < 1) {
                throw new IllegalArgumentException("at least one byte must be appended in a turn");
            }
            if (files < 1) {
                throw new IllegalArgumentException("slices of at least one file must be sent");
            }
        }

        public static Following defaults() {
            return new Following(Duration.ofSeconds(10), 16L << 20, 16);
        }
    }

    public static TransferSettings defaults() {
        return new TransferSettings(
                AtOnce.defaults(),
                Tries.defaults(),
                Duration.ofSeconds(5),
                new Limit("staging.maxEntries", 100_000),
                Following.defaults());
    }
}
