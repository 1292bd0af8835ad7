// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The records of what became of each job. */
@Section(
        "The audit records (docs/operate/accounting.md): what became of each job, in a database of their own: the file `audit.db` in the state directory, or"
                + " tables in PostgreSQL.")
public record AuditConfig(
        @Setting(
                description =
                        "Whether jobs are recorded. What happens while they are not is recorded when they are again, as far as"
                                + " `store.keepFinished` reaches.",
                byDefault = "true")
        boolean enabled,

        @Setting(
                description =
                        "`jdbc:postgresql://HOST/DATABASE`, which may be that of the jobs; where it is not set, `audit.db` in the"
                                + " state directory. Records are not moved from one to the other.")
        @Nullable
        String url,

        @Setting(description = "User of the PostgreSQL database.") @Nullable
        String user,

        @Setting(
                description = "File whose first line is the password of that user. Nobody else may be able to read it.")
        @Nullable
        Path passwordFile,

        @Setting(
                description =
                        "How long the record of a job is kept after its end, such as `730d`; where it is not set, for ever. Taken out a little at"
                                + " a time while the gateway runs; `jobgate audit verify` goes on to find tampering.",
                min = "1d",
                max = "36500d")
        @Nullable
        Duration keepRecords,

        @Setting(
                description =
                        "How long after its end the record of a job names people, such as `90d`; where it is not set, as long as it is kept. Then"
                                + " owner and account become pseudonyms, the same for the same person, and the description and what else"
                                + " may name somebody is taken out.",
                min = "1d",
                max = "36500d")
        @Nullable
        Duration keepNames) {

    public AuditConfig {
        if (url != null && !url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("url must begin with jdbc:postgresql:");
        }
        if (url != null && url.contains("password=")) {
            throw new IllegalArgumentException("url must not hold a password; use passwordFile");
        }
        if (url == null && (user != null || passwordFile != null)) {
            throw new IllegalArgumentException("user and passwordFile are for PostgreSQL only");
        }
    }
}
