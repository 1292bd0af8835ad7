// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;

/**
 * The bounds of the API.
 *
 * @param version of the software, for callers with a name
 * @param jobs what one job may ask for, and how many jobs there may be
 * @param listedJobs jobs in one page
 * @param maxWait how long a request may wait for a change; one that asks for more gets this
 * @param keepAlive after how long without news a stream of events has a sign of life
 * @param slowest a stream whose client takes longer than this for what it is sent is ended
 * @param waiting requests that wait for a change, of everybody; one more is answered at once
 * @param waitingPerOwner the same of one subject
 * @param followers streams of events, of everybody
 * @param followersPerOwner the same of one subject
 * @param readers requests that bring or take what is in files of trees, of everybody
 * @param readersPerOwner the same of one subject
 * @param fileBytes of one file that is put into a tree, or whose checksum is made
 */
public record ApiSettings(
        String version,
        JobLimits jobs,
        Limit listedJobs,
        Duration maxWait,
        Duration keepAlive,
        Duration slowest,
        Limit waiting,
        Limit waitingPerOwner,
        Limit followers,
        Limit followersPerOwner,
        Limit readers,
        Limit readersPerOwner,
        Limit fileBytes) {

    public ApiSettings {
        requireNonNull(version, "version is null");
        requireNonNull(jobs, "jobs is null");
        requireNonNull(listedJobs, "listedJobs is null");
        requireNonNull(maxWait, "maxWait is null");
        requireNonNull(waiting, "waiting is null");
        requireNonNull(waitingPerOwner, "waitingPerOwner is null");
        requireNonNull(keepAlive, "keepAlive is null");
        requireNonNull(slowest, "slowest is null");
        requireNonNull(followers, "followers is null");
        requireNonNull(followersPerOwner, "followersPerOwner is null");
        requireNonNull(readers, "readers is null");
        requireNonNull(readersPerOwner, "readersPerOwner is null");
        requireNonNull(fileBytes, "fileBytes is null");
    }
}
