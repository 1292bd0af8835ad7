// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The database of jobs. */
@Section("The database of jobs.")
public record StoreConfig(
        @Setting(
                description = "`sqlite:FILE`, relative to the state directory, or `jdbc:postgresql://HOST/DATABASE`.",
                byDefault = "sqlite:jobgate.db",
                tier = Tier.ESSENTIAL)
        String url,

        @Setting(description = "User of the PostgreSQL database.") @Nullable
        String user,

        @Setting(
                description = "File whose first line is the password of that user. Nobody else may be able to read it.")
        @Nullable
        Path passwordFile,

        @Setting(
                description = "How long a finished job is remembered. Its key can be used again only after that.",
                byDefault = "30d",
                min = "1m",
                max = "36500d")
        Duration keepFinished,

        @Setting(description = "Connections for reading.", byDefault = "4", min = "1", max = "64", tier = Tier.RARE)
        int maxReaders,

        @Setting(
                description = "Writes in one transaction.",
                byDefault = "512",
                min = "1",
                max = "10000",
                tier = Tier.RARE)
        int maxBatch,

        @Setting(
                description = "Writes that may wait for the writer. A create above it is refused, other writes wait.",
                byDefault = "20000",
                min = "1",
                max = "1000000",
                tier = Tier.RARE)
        int maxQueuedWrites,

        @Setting(
                description = "How many of the newest changes are kept in memory for the readers of the change stream.",
                byDefault = "4096",
                min = "1",
                max = "1000000",
                tier = Tier.RARE)
        int recentChanges,

        @Setting(
                description = "How long a connection, a lock and a probe are waited for.",
                byDefault = "10s",
                min = "250ms",
                max = "10m",
                tier = Tier.RARE)
        Duration timeout) {

    public StoreConfig {
        if (!url.startsWith("sqlite:") && !url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("url must begin with sqlite: or jdbc:postgresql:");
        }
        if (url.contains("password=")) {
            throw new IllegalArgumentException("url must not hold a password; use passwordFile");
        }
        if (url.startsWith("sqlite:") && (user != null || passwordFile != null)) {
            throw new IllegalArgumentException("user and passwordFile are for PostgreSQL only");
        }
    }
}
