// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.time.Duration;
import org.jobgate.limits.Limit;

/** Settings of an engine that is not to keep a test waiting. */
final class TestSettings {

    private TestSettings() {}

    /** Marks everything. */
    static TransferSettings quick(int atOnce, int perRequest, TransferSettings.Tries tries) {
        return quick(atOnce, perRequest, tries, TransferSettings.Following.defaults());
    }

    /**
     * Marks everything.
     *
     * @param atOnce transfers in all, of an owner, and of a server
     * @param perRequest of one request
     */
    static TransferSettings quick(
            int atOnce, int perRequest, TransferSettings.Tries tries, TransferSettings.Following following) {
        return new TransferSettings(
                new TransferSettings.AtOnce(
                        new Limit("staging.maxActive", atOnce),
                        new Limit("staging.maxActivePerOwner", atOnce),
                        new Limit("staging.maxActivePerServer", atOnce),
                        perRequest,
                        new Limit("staging.maxActivePerRequest", Math.max(atOnce, perRequest)),
                        new Limit("staging.maxActiveLocal", atOnce),
                        Duration.ZERO),
                tries,
                Duration.ZERO,
                new Limit("staging.maxEntries", 100),
                following);
    }
}
