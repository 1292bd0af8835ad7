// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.postgres;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where a PostgreSQL database is, and as whom it is used.
 *
 * @param url {@code jdbc:postgresql://host:port/database}
 * @param user absent where the URL or the environment names them
 * @param passwordFile a file with the password in its first line, readable by its owner alone
 * @param timeout how long a connection is waited for
 */
public record PostgresServer(
        String url, @Nullable String user, @Nullable Path passwordFile, Duration timeout) {

    /** What every URL begins with. */
    public static final String SCHEME = "jdbc:postgresql:";

    /** An answer that takes longer is taken for a lost connection. */
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    public PostgresServer {
        requireNonNull(url, "url is null");
        requireNonNull(timeout, "timeout is null");
        if (!url.startsWith(SCHEME)) {
            throw new IllegalArgumentException("the URL of a PostgreSQL database must begin with " + SCHEME);
        }
    }

    /**
     * Connections to it that notice when the server is gone.
     *
     * @throws org.jobgate.job.FaultException of code {@code STORE_UNAVAILABLE} where the password cannot be read, or others may read it
     */
    public PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        if (user != null) {
            source.setUser(user);
        }
        if (passwordFile != null) {
            source.setPassword(PasswordFile.read(passwordFile));
        }
        source.setApplicationName("jobgate process " + ProcessHandle.current().pid());
        source.setConnectTimeout(Math.toIntExact(Math.max(1, timeout.toSeconds())));
        source.setSocketTimeout(Math.toIntExact(SOCKET_TIMEOUT.toSeconds()));
        source.setTcpKeepAlive(true);
        source.setReWriteBatchedInserts(true);
        return source;
    }

    /** Which database this is, for messages and logs: never holds a secret. */
    public static String name(PGSimpleDataSource source) {
        return "postgresql://" + source.getServerNames()[0] + ":" + source.getPortNumbers()[0] + "/"
                + source.getDatabaseName();
    }
}
