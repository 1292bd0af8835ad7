// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which database holds the records.
 *
 * @param url {@code jdbc:postgresql://host:port/database}; absent: the file {@code audit.db} beside the end of the chain
 * @param user PostgreSQL only
 * @param passwordFile PostgreSQL only: a file with the password in its first line, readable by its owner alone
 * @param timeout PostgreSQL only: how long a connection is waited for
 */
public record AuditStore(
        @Nullable String url,
        @Nullable String user,
        @Nullable Path passwordFile,
        Duration timeout) {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The file {@code audit.db}. */
    public static final AuditStore FILE = new AuditStore(null, null, null, PATIENCE);

    /** A PostgreSQL database, which is waited for as long as is usual. */
    public static AuditStore postgres(String url, @Nullable String user, @Nullable Path passwordFile) {
        return new AuditStore(url, user, passwordFile, PATIENCE);
    }
}
