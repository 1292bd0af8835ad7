// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the store is and how much it may use.
 *
 * @param url {@code sqlite:/path/to/file}, or {@code jdbc:postgresql://host:port/database}
 * @param user PostgreSQL only
 * @param passwordFile PostgreSQL only: a file with the password in its first line, readable by its owner alone
 * @param maxReaders connections for reading, 1 to 64
 * @param maxBatch writes in one transaction, 1 to 10,000
 * @param maxQueuedWrites writes that may wait; a create above it is refused, other writes wait. A bulk create counts each of its jobs
 * @param recentChanges how many of the newest changes are kept in memory
 * @param timeout how long to wait for a connection, for a lock and for a probe
 */
public record StoreSettings(
        String url,
        @Nullable String user,
        @Nullable Path passwordFile,
        int maxReaders,
        int maxBatch,
        int maxQueuedWrites,
        int recentChanges,
        Duration timeout) {

    static final String SQLITE = "sqlite:";
    static final String POSTGRESQL = "jdbc:postgresql:";

    public StoreSettings {
        requireNonNull(url, "url is null");
        requireNonNull(timeout, "timeout is null");
        if (!url.startsWith(SQLITE) && !url.startsWith(POSTGRESQL)) {
            throw new IllegalArgumentException(
                    "store.url must begin with " + SQLITE + " or " + POSTGRESQL + " and does not");
        }
        requireBetween("store.maxReaders", maxReaders, 64);
        requireBetween("store.maxBatch", maxBatch, 10_000);
        requireBetween("store.maxQueuedWrites", maxQueuedWrites, 1_000_000);
        requireBetween("store.recentChanges", recentChanges, 1_000_000);
        if (timeout.toMillis() < 250 || timeout.toMinutes() > 10) {
            throw new IllegalArgumentException("store.timeout is " + timeout + "; it must be 250 ms to 10 min");
        }
    }

    private static void requireBetween(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be 1 to " + most);
        }
    }

    /** The defaults, for this URL. */
    public static StoreSettings of(String url) {
        return new StoreSettings(url, null, null, 4, 512, 20_000, 4_096, Duration.ofSeconds(10));
    }

    public StoreSettings withCredentials(@Nullable String newUser, @Nullable Path newPasswordFile) {
        return new StoreSettings(
                url, newUser, newPasswordFile, maxReaders, maxBatch, maxQueuedWrites, recentChanges, timeout);
    }

    public StoreSettings withMaxReaders(int value) {
        return new StoreSettings(url, user, passwordFile, value, maxBatch, maxQueuedWrites, recentChanges, timeout);
    }

    public StoreSettings withMaxBatch(int value) {
        return new StoreSettings(url, user, passwordFile, maxReaders, value, maxQueuedWrites, recentChanges, timeout);
    }

    public StoreSettings withMaxQueuedWrites(int value) {
        return new StoreSettings(url, user, passwordFile, maxReaders, maxBatch, value, recentChanges, timeout);
    }

    public StoreSettings withRecentChanges(int value) {
        return new StoreSettings(url, user, passwordFile, maxReaders, maxBatch, maxQueuedWrites, value, timeout);
    }

    public StoreSettings withTimeout(Duration value) {
        return new StoreSettings(url, user, passwordFile, maxReaders, maxBatch, maxQueuedWrites, recentChanges, value);
    }

    /** The same, with a relative SQLite path taken from this directory. */
    public StoreSettings resolvedAgainst(Path directory) {
        if (!isSqlite()) {
            return this;
        }
        return new StoreSettings(
                SQLITE + directory.resolve(sqliteFile()).toAbsolutePath().normalize(),
                user,
                passwordFile,
                maxReaders,
                maxBatch,
                maxQueuedWrites,
                recentChanges,
                timeout);
    }

    public boolean isSqlite() {
        return url.startsWith(SQLITE);
    }

    /** The file, where the store is SQLite. */
    public Optional<Path> sqliteFileIfAny() {
        return isSqlite() ? Optional.of(sqliteFile()) : Optional.empty();
    }

    Path sqliteFile() {
        return Path.of(url.substring(SQLITE.length()));
    }
}
