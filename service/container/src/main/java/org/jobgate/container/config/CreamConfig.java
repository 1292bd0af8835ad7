// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;
import java.util.List;

/** CREAM2. */
@Section("CREAM2 (`/ce-cream/services/CREAM2`).")
public record CreamConfig(
        @Setting(
                description =
                        "Whether each job must name a delegated credential, as CREAM demands. Without it jobs may be registered with none, and run with none.",
                byDefault = "true")
        boolean requireDelegation,

        @Setting(
                description =
                        "Subjects that may disable and enable the submission of jobs at this door, and that are shown the LRM's ids and the directories of their jobs.",
                byDefault = "")
        List<String> administrators,

        @Setting(
                description = "The longest time from now on that a lease may have; who asks for more gets this.",
                byDefault = "10h",
                min = "1s",
                max = "3650d")
        Duration maxLeaseTime,

        @Setting(
                description =
                        "Whether clients bring and fetch the files of sandboxes by gsiftp where a server of `staging.servers` has the directory, as CREAM's own command line must. Users need to be the same account there as here.",
                byDefault = "false")
        boolean gsiftpSandboxes,

        @Setting(
                description =
                        "How long a job that ran to its end (DONE-OK) is kept before it is purged, with its sandbox.",
                byDefault = "10d",
                min = "1m",
                max = "3650d")
        Duration keepDoneOk,

        @Setting(
                description = "The same of one that failed (DONE-FAILED).",
                byDefault = "10d",
                min = "1m",
                max = "3650d")
        Duration keepDoneFailed,

        @Setting(
                description = "The same of one that came to no LRM (ABORTED).",
                byDefault = "10d",
                min = "1m",
                max = "3650d")
        Duration keepAborted,

        @Setting(description = "The same of one that was cancelled.", byDefault = "10d", min = "1m", max = "3650d")
        Duration keepCancelled,

        @Setting(
                description = "How long a job that was registered and not started is kept.",
                byDefault = "2d",
                min = "1m",
                max = "3650d")
        Duration keepRegistered,

        @Setting(
                description = "Jobs in one answer of JobList, and in one that is asked for by a filter without ids.",
                byDefault = "100000",
                min = "1",
                max = "1000000",
                tier = Tier.RARE)
        long maxListedJobs,

        @Setting(
                description = "Events in one answer of QueryEvent; a request that asks for more gets this.",
                byDefault = "10000",
                min = "1",
                max = "100000",
                tier = Tier.RARE)
        long maxEvents,

        @Setting(description = "Leases of one owner.", byDefault = "1000", min = "1", max = "100000", tier = Tier.RARE)
        long maxLeasesPerOwner) {

    public CreamConfig {
        administrators = List.copyOf(administrators);
    }
}
