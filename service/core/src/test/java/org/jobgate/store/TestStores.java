// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import java.nio.file.Path;
import java.time.Clock;
import org.jobgate.job.JobOrigin;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.StoreSettings;

/** Real stores for the tests of other packages. */
public final class TestStores {

    /** How the jobs of tests came that are about no door. */
    public static final JobOrigin ORIGIN = new JobOrigin("test", "trial");

    private TestStores() {}

    /** An SQLite store in the directory; opening it again finds what was stored. */
    public static JobStore sqlite(Path directory) {
        return JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("jobgate.db")), Clock.systemUTC());
    }
}
