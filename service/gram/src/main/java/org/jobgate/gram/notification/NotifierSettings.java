// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.limits.Limit;

/**
 * The bounds of telling clients about their jobs.
 *
 * @param deliveries messages on their way at the same time
 * @param subscriptionsPerJob subscriptions that one job may have
 * @param waitingMessages messages that may wait for one consumer; the oldest are left out where there are more
 * @param timeout of one attempt to deliver
 * @param firstRetry after how long a failed delivery is tried again; doubled with every further failure
 * @param slowestRetry the longest time between two attempts
 * @param giveUpAfter a consumer that could not be reached for so long is dropped
 * @param destinations where consumers may be
 */
public record NotifierSettings(
        Limit deliveries,
        Limit subscriptionsPerJob,
        Limit waitingMessages,
        Duration timeout,
        Duration firstRetry,
        Duration slowestRetry,
        Duration giveUpAfter,
        Destinations destinations) {

    public NotifierSettings {
        requireNonNull(deliveries, "deliveries is null");
        requireNonNull(subscriptionsPerJob, "subscriptionsPerJob is null");
        requireNonNull(waitingMessages, "waitingMessages is null");
        requireNonNull(destinations, "destinations is null");
        requirePositive(timeout, "timeout");
        requirePositive(firstRetry, "firstRetry");
        requirePositive(slowestRetry, "slowestRetry");
        requirePositive(giveUpAfter, "giveUpAfter");
    }

    private static void requirePositive(Duration time, String name) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(name + " is " + time + "; it must be more than nothing");
        }
    }

    public static NotifierSettings defaults() {
        return new NotifierSettings(
                new Limit("callbacks.maxDeliveries", 64),
                new Limit("callbacks.maxSubscriptionsPerJob", 8),
                new Limit("callbacks.maxWaitingMessages", 64),
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(10),
                Destinations.ofSite(new OwnPorts()));
    }
}
