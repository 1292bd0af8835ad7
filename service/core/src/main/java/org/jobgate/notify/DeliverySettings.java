// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.notify;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.limits.Limit;

/**
 * The bounds of telling consumers.
 *
 * @param deliveries messages on their way at the same time; one owner has a quarter of them at the most, and two at the least
 * @param waitingMessages messages that may wait for one consumer; the oldest are left out where there are more
 * @param firstRetry after how long a failed delivery is tried again; doubled with every further failure
 * @param slowestRetry the longest time between two attempts
 * @param giveUpAfter a consumer that took no message for so long is dropped
 */
public record DeliverySettings(
        Limit deliveries, Limit waitingMessages, Duration firstRetry, Duration slowestRetry, Duration giveUpAfter) {

    public DeliverySettings {
        requireNonNull(deliveries, "deliveries is null");
        requireNonNull(waitingMessages, "waitingMessages is null");
        requirePositive(firstRetry, "firstRetry");
        requirePositive(slowestRetry, "slowestRetry");
        requirePositive(giveUpAfter, "giveUpAfter");
    }

    private static void requirePositive(Duration time, String name) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(name + " is " + time + "; it must be more than nothing");
        }
    }

    public static DeliverySettings defaults() {
        return new DeliverySettings(
                new Limit("callbacks.maxDeliveries", 64),
                new Limit("callbacks.maxWaitingMessages", 64),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(10));
    }

    /** How many messages of one owner are on their way at the same time. */
    int deliveriesPerOwner() {
        return Math.toIntExact(Math.max(2, deliveries.value() / 4));
    }

    /** How long to wait after so many failures, one after the other. */
    Duration pause(int failures) {
        Duration pause = firstRetry.multipliedBy(1L << Math.min(failures - 1, 20));
        return pause.compareTo(slowestRetry) <= 0 ? pause : slowestRetry;
    }
}
