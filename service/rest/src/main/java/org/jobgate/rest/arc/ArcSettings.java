// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;
import org.jobgate.rest.files.FileDoorSettings;

/**
 * What the site decides of this door.
 *
 * @param version of the software
 * @param sessions the directory in which each job has its own, below the home of the account
 * @param inputWait how long a job waits for the files that its client is to put; then it is ended
 * @param keepCleaned how long a job that was submitted by a key and has run stays after its client has cleaned it; zero: not at all
 * @param idListBytes of a request that names jobs
 * @param jobsAtOnce jobs that are looked up at once; a longer list is answered in several steps
 * @param files the bounds of reading and putting files
 */
public record ArcSettings(
        String version,
        String sessions,
        Duration inputWait,
        Duration keepCleaned,
        Limit idListBytes,
        int jobsAtOnce,
        FileDoorSettings files) {

    public ArcSettings {
        requireNonNull(version, "version is null");
        requireNonNull(inputWait, "inputWait is null");
        requireNonNull(keepCleaned, "keepCleaned is null");
        requireNonNull(idListBytes, "idListBytes is null");
        requireNonNull(files, "files is null");
        if (sessions.isEmpty() || sessions.startsWith("/") || sessions.contains("..")) {
            throw new IllegalArgumentException("sessions is not a directory below the home: " + sessions);
        }
        if (jobsAtOnce < 1) {
            throw new IllegalArgumentException("jobsAtOnce is " + jobsAtOnce + "; at least 1 is needed");
        }
    }
}
