// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;

/** Reading and putting the files of jobs over https. */
@Section("The files of jobs, read and put by their owners over https (`/jobs/ID/stdout` and the like).")
public record FilesConfig(
        @Setting(
                description = "Requests for files that are answered or wait for more at the same time.",
                byDefault = "512",
                min = "1",
                max = "1000000")
        long maxReaders,

        @Setting(
                description = "The same of one subject; one job followed by `globusrun-ws -s` has two.",
                byDefault = "64",
                min = "1",
                max = "1000000")
        long maxReadersPerOwner,

        @Setting(
                description = "How long a request may wait for more of a file; one that asks for more gets this.",
                byDefault = "30s",
                min = "0s",
                max = "10m",
                tier = Tier.RARE)
        Duration maxWait,

        @Setting(
                description = "The largest file that a client may put into the directory of a job.",
                byDefault = "64GiB",
                min = "1B",
                max = "1024TiB")
        DataSize maxFileSize,

        @Setting(
                description =
                        "The same for all files that are put for one job; what the job itself writes does not count.",
                byDefault = "256GiB",
                min = "1B",
                max = "1024TiB")
        DataSize maxUploadBytesPerJob,

        @Setting(description = "How many files may be put for one job.", byDefault = "1000", min = "1", max = "100000")
        long maxUploadsPerJob,

        @Setting(
                description = "How long a file system is waited for.",
                byDefault = "30s",
                min = "1s",
                max = "10m",
                tier = Tier.RARE)
        Duration answerTimeout,

        @Setting(
                description = "The process that reads an account's files is ended when nobody asked for so long.",
                byDefault = "1m",
                min = "1s",
                max = "1d",
                tier = Tier.RARE)
        Duration idleEnd) {}
