// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.StagingConfig;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.limits.Limit;
import org.jobgate.rft.RftSettings;

/** The settings of the RFT door, read from the configuration. */
final class Rft {

    private Rft() {}

    static RftSettings settings(JobgateConfig config, WaitPlaces waiting) {
        StagingConfig staging = config.staging();
        return new RftSettings(
                new Limit("staging.maxRequests", staging.maxRequests()),
                new Limit("staging.maxRequestsPerOwner", staging.maxRequestsPerOwner()),
                new Limit("staging.maxRequestFiles", staging.maxRequestFiles()),
                new Limit("callbacks.maxSubscriptionsPerJob", config.callbacks().maxSubscriptionsPerJob()),
                staging.maxRequestLifetime(),
                GramLimits.xml(config.gram()),
                GramLimits.query(config.gram()),
                waiting);
    }
}
