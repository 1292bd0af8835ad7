// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import java.time.Clock;
import java.util.concurrent.Executor;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Interlude;
import org.jobgate.store.JobStore;

/** Opens stores. */
public final class JobStores {

    private JobStores() {}

    /** As {@link #open(StoreSettings, Clock, Executor)}; futures are completed on virtual threads. */
    public static JobStore open(StoreSettings settings, Clock clock) {
        return open(settings, clock, Interlude.none());
    }

    /**
     * Opens the store, creating it or bringing its tables up to date where needed. One container may have a store open at a time.
     *
     * @param clock gives the times of the change stream
     * @param answers where futures are completed; what callers hang on to them runs there and must not hold up each other
     * @throws FaultException of code {@code STORE_UNAVAILABLE} that says why it cannot be opened, or who has it open
     */
    public static JobStore open(StoreSettings settings, Clock clock, Executor answers) {
        return open(settings, clock, answers, Interlude.none());
    }

    /**
     * Opens the store as {@link #open(StoreSettings, Clock)} does.
     *
     * @param interlude told by each thread that waits for a write
     * @throws FaultException of code {@code STORE_UNAVAILABLE} that says why it cannot be opened, or who has it open
     */
    public static JobStore open(StoreSettings settings, Clock clock, Interlude interlude) {
        return open(settings, clock, task -> Thread.startVirtualThread(task), interlude);
    }

    private static JobStore open(StoreSettings settings, Clock clock, Executor answers, Interlude interlude) {
        Database database = settings.isSqlite() ? new SqliteDatabase(settings) : new PostgresDatabase(settings);
        try {
            return new SqlJobStore(database, settings, clock, answers, interlude);
        } catch (SQLException e) {
            throw new FaultException(cannotOpen(database, e), e);
        }
    }

    private static Fault cannotOpen(Database database, SQLException e) {
        if (e instanceof OutageException known) {
            return known.fault();
        }
        Fault outage = database.outage(e);
        return outage != null
                ? outage
                : Fault.of(
                        FaultCode.STORE_UNAVAILABLE,
                        "The store " + database.name() + " cannot be opened: " + e.getMessage() + ".",
                        "See the service's log, and docs/operate/recovering.md.");
    }
}
