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
                description =
                        "The password itself; only for a value from the environment, as in ${JOBGATE_DB_PASSWORD}.",
                tier = Tier.RARE,
                secret = true)
        @Nullable
        String password,

        @Setting(
                description = "How long a finished job is remembered. Its key can be used again only after that.",
                byDefault = "30d",
                min = "1m",
                max = "36500d")
        Duration keepFinished) {

    public StoreConfig {
        if (!url.startsWith("sqlite:") && !url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("url must begin with sqlite: or jdbc:postgresql:");
        }
        if (url.contains("password=")) {
            throw new IllegalArgumentException("url must not hold a password; use passwordFile");
        }
        if (password != null && passwordFile != null) {
            throw new IllegalArgumentException("password and passwordFile cannot both be given");
        }
    }

    @Override
    public String toString() {
        return "StoreConfig[url=" + url + ", user=" + user + ", passwordFile=" + passwordFile
                + ", password=***, keepFinished=" + keepFinished + "]";
    }
}
