// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;

/** Where the service keeps what it must not lose. */
@Section("Where the service keeps what it must not lose.")
public record StateConfig(
        @Setting(
                description =
                        "Directory of the embedded store, the admin socket, the pid file, the logs and the workers' files. It is made"
                                + " if it is not there, and must be readable by the account of the service only.",
                byDefault = "/var/lib/jobgate",
                tier = Tier.ESSENTIAL)
        Path directory,

        @Setting(
                description =
                        "The service calls itself unwell when the disk of the state directory has less room than this.",
                byDefault = "256MiB")
        DataSize minFreeSpace) {}
