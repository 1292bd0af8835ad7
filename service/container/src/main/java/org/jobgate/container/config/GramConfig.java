// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The GRAM4 front door. */
@Section("The GRAM4 services: how long jobs are kept, and the bounds of their requests. What each does:"
        + " [gram4.md](gram4.md).")
public record GramConfig(
        @Setting(
                description =
                        "A job that is submitted without a termination time is ended after this time. Without it such jobs"
                                + " may run for ever.",
                min = "1m",
                max = "36500d")
        @Nullable
        Duration defaultJobLifetime,

        @Setting(
                description =
                        "No termination time of a GT 4.2 client may be later from now than this (`maxJobLifetime`).",
                byDefault = "365d",
                min = "1m",
                max = "36500d")
        Duration maxJobLifetime,

        @Setting(
                description =
                        "The same for GT 4.0 clients; their `never` means so long then. Without it there is no bound, as GT 4.0 had"
                                + " none.",
                min = "1m",
                max = "36500d",
                tier = Tier.RARE)
        @Nullable
        Duration maxJobLifetimeGt40,

        @Setting(
                description = "How long a job of a GT 4.2 client without a termination time is kept from its end on"
                        + " (`jobTTLAfterProcessing`).",
                byDefault = "1d",
                min = "0s",
                max = "36500d")
        Duration keepAfterEnd,

        @Setting(
                description =
                        "The same for GT 4.0 clients. Without it they are kept as long as `store.keepFinished` says, as GT 4.0 kept"
                                + " them for ever.",
                min = "0s",
                max = "36500d",
                tier = Tier.RARE)
        @Nullable
        Duration keepAfterEndGt40,

        @Setting(
                description =
                        "Where jobs of all accounts have scratch directories (`GLOBUS_SCRATCH_DIR`, `scratchBaseDirectory`). Without it:"
                                + " `.globus/scratch` in each account's home directory.")
        @Nullable
        Path scratchBaseDirectory,

        @Setting(description = "Jobs of one `createManagedJobs`.", byDefault = "1000", min = "1", max = "100000")
        long maxBulkJobs,

        @Setting(description = "Jobs in one answer of `listJobs`.", byDefault = "1000", min = "1", max = "10000")
        long maxListedJobs,

        @Setting(
                description = "Characters of one query of resource properties.",
                byDefault = "1024",
                min = "1",
                max = "65536",
                tier = Tier.RARE)
        long maxQueryCharacters,

        @Setting(
                description = "Brackets within brackets of one query.",
                byDefault = "16",
                min = "1",
                max = "64",
                tier = Tier.RARE)
        long maxQueryNesting,

        @Setting(
                description = "How often one query may look at a node of the document.",
                byDefault = "1000000",
                min = "1",
                max = "1000000000",
                tier = Tier.RARE)
        long maxQueryVisits,

        @Setting(
                description = "Characters of the texts that one query answers.",
                byDefault = "2097152",
                min = "1",
                max = "67108864",
                tier = Tier.RARE)
        long maxQueryResultCharacters,

        @Setting(
                description = "A query is given up after this time.",
                byDefault = "1s",
                min = "10ms",
                max = "1m",
                tier = Tier.RARE)
        Duration maxQueryTime,

        @Setting(
                description = "Elements of one request.",
                byDefault = "20000",
                min = "100",
                max = "10000000",
                tier = Tier.RARE)
        long maxXmlElements,

        @Setting(
                description = "Elements inside one another.",
                byDefault = "32",
                min = "16",
                max = "256",
                tier = Tier.RARE)
        long maxXmlDepth,

        @Setting(
                description = "Attributes of one element.",
                byDefault = "64",
                min = "8",
                max = "1024",
                tier = Tier.RARE)
        long maxXmlAttributes,

        @Setting(
                description = "Characters of the text of one element or attribute.",
                byDefault = "131072",
                min = "1024",
                max = "16777216",
                tier = Tier.RARE)
        long maxXmlTextCharacters) {}
