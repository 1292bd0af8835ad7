// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.admin;

import java.time.Instant;
import java.util.Locale;

/** What an administrator can do to the service as a whole. */
public interface ServiceControl {

    /** How the service is, at a glance. */
    Status status();

    /** Takes no new jobs from now on; those that are there go on. */
    void drain();

    /** Takes new jobs again. */
    void resume();

    /** Begins to end the service; answers at once. */
    void stop();

    /** Where the service is in its own life. */
    enum State {
        STARTING,
        RUNNING,
        DRAINING,
        STOPPING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How the service is.
     *
     * @param url what the addresses of its services begin with; empty until it listens
     * @param health well, unwell or draining
     */
    record Status(State state, String version, long pid, Instant startedAt, String url, long liveJobs, String health) {}
}
