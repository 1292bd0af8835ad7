// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jobgate.container.admin.BackupRequests;
import org.jobgate.container.backup.Backup;
import org.jobgate.container.backup.ServerCopy;
import org.jobgate.container.config.StoreConfig;
import org.jobgate.engine.JobEngine;
import org.jobgate.store.sql.PostgresStoreCopy;
import org.jobgate.store.sql.SqliteCopy;
import org.jobgate.store.sql.StoreSettings;
import org.jspecify.annotations.Nullable;

/** Where the store of jobs is, and how it is backed up, by the configuration. */
final class Stores {

    private Stores() {}

    static StoreSettings settings(StoreConfig store, Path stateDirectory) {
        return new StoreSettings(
                        store.url(),
                        store.user(),
                        store.passwordFile(),
                        store.maxReaders(),
                        store.maxBatch(),
                        store.maxQueuedWrites(),
                        store.recentChanges(),
                        store.timeout())
                .resolvedAgainst(stateDirectory);
    }

    /** The same for the gateway that is made. */
    static StoreSettings settings(Base base) {
        return settings(base.config().store(), base.state());
    }

    /** The store that a backup has to ask a server for; absent where it is a file. */
    static @Nullable ServerCopy server(StoreSettings settings) {
        return settings.isSqlite()
                ? null
                : new ServerCopy() {
                    @Override
                    public void make(Path target) throws IOException {
                        PostgresStoreCopy.make(settings, target);
                    }

                    @Override
                    public List<String> restore(Path copy, Instant now) throws IOException {
                        return PostgresStoreCopy.restore(settings, copy, now);
                    }
                };
    }

    /** What the administrator asks of backups. */
    static BackupRequests backups(Base base, JobEngine engine) {
        return new BackupRequests(
                new Backup(
                        base.state(),
                        new Backup.Place(
                                settings(base).sqliteFileIfAny().orElse(null),
                                server(settings(base)),
                                AuditTrail.server(base.config().audit())),
                        SqliteCopy::make,
                        Delegations.siteKey(base.config().delegation(), base.state()),
                        Version.current(),
                        base.clock()),
                engine);
    }
}
