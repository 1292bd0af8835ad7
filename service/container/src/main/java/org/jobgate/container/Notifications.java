// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.config.CallbacksConfig;
import org.jobgate.limits.Limit;
import org.jobgate.notify.DeliverySettings;

/** The settings of the delivery of notifications, read from the configuration. */
final class Notifications {

    private Notifications() {}

    static DeliverySettings settings(CallbacksConfig callbacks) {
        return new DeliverySettings(
                new Limit("callbacks.maxDeliveries", callbacks.maxDeliveries()),
                new Limit("callbacks.maxWaitingMessages", callbacks.maxWaitingMessages()),
                callbacks.firstRetry(),
                callbacks.slowestRetry(),
                callbacks.giveUpAfter());
    }

    /** Where clients may be told. */
    static Destinations destinations(CallbacksConfig callbacks, OwnPorts ports) {
        return new Destinations(
                ports, "callbacks", callbacks.allowPrivateAddresses(), callbacks.allowLoopbackAddresses());
    }
}
