// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import org.jobgate.container.config.JobgateConfig;
import org.jobgate.limits.Limit;
import org.jobgate.rest.api.ApiSettings;

/** The settings of the REST API, read from the configuration. */
final class Api {

    private Api() {}

    static ApiSettings settings(JobgateConfig config) {
        return new ApiSettings(
                Version.current(),
                config.limits().jobLimits(),
                new Limit("api.maxListedJobs", config.api().maxListedJobs()),
                config.limits().maxWait(),
                config.api().keepAlive(),
                config.api().slowestFollower(),
                new Limit("limits.maxWaitingRequests", config.limits().maxWaitingRequests()),
                new Limit("api.maxWaitingPerOwner", config.api().maxWaitingPerOwner()),
                new Limit("api.maxFollowers", config.api().maxFollowers()),
                new Limit("api.maxFollowersPerOwner", config.api().maxFollowersPerOwner()),
                new Limit("files.maxReaders", config.files().maxReaders()),
                new Limit("files.maxReadersPerOwner", config.files().maxReadersPerOwner()),
                new Limit("files.maxFileSize", config.files().maxFileSize().bytes()));
    }
}
