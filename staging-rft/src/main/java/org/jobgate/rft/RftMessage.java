// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.NotifyEnvelope;
import org.jobgate.gt4.subscription.Subscription;
import org.jobgate.notify.StandingDeliveries.Standing;

/** What subscribers are told of how a request stands: the {@code Notify} (facts/gt4-wire.md section 4, 6 RFT Notify; capture 34). */
final class RftMessage {

    private static final QName WRAPPER = new QName(
            "http://wsrf.globus.org/core/notification", "ResourcePropertyValueChangeNotificationElementType", "cn");

    private final String serviceAddress;
    private final Function<Generation, RftProperties.StatusWriting> statuses;

    RftMessage(String serviceAddress, Function<Generation, RftProperties.StatusWriting> statuses) {
        this.serviceAddress = requireNonNull(serviceAddress, "serviceAddress is null");
        this.statuses = requireNonNull(statuses, "statuses is null");
    }

    /** How the request stands by the topic of the subscription. */
    Standing standing(Subscription subscription, RftRequests.Present present) {
        boolean isStatus = subscription.topic().getLocalPart().equals(RftNames.STATUS);
        return new Standing(
                isStatus ? present.status().word() : present.tally().toString(), () -> write(subscription, present));
    }

    private byte[] write(Subscription subscription, RftRequests.Present present) {
        Generation generation = subscription.generation();
        return NotifyEnvelope.write(
                generation,
                subscription.consumer(),
                subscription.topic(),
                EndpointReference.of(
                        serviceAddress,
                        generation.transfer(RftNames.KEY),
                        subscription.resource().toString()),
                WRAPPER,
                out -> {
                    out.open(generation.properties("ResourcePropertyValueChangeNotification"));
                    out.open(generation.properties("NewValue"));
                    statuses.apply(generation).topic(out, subscription.topic(), present);
                    out.close().close();
                });
    }
}
