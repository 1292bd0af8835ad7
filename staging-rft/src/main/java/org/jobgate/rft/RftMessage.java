// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.NotifyEnvelope;
import org.jobgate.xml.XmlWriter;

/** Writes the {@code Notify} that tells how a request stands (facts/gt4-wire.md section 4, 6 RFT Notify; capture 34). */
final class RftMessage {

    private static final QName WRAPPER = new QName(
            "http://wsrf.globus.org/core/notification", "ResourcePropertyValueChangeNotificationElementType", "cn");

    private final String serviceAddress;
    private final Function<Generation, RftProperties.StatusWriting> statuses;

    RftMessage(String serviceAddress, Function<Generation, RftProperties.StatusWriting> statuses) {
        this.serviceAddress = requireNonNull(serviceAddress, "serviceAddress is null");
        this.statuses = requireNonNull(statuses, "statuses is null");
    }

    byte[] write(RftSubscription subscription, RftRequests.Present present) {
        Generation generation = subscription.generation();
        return NotifyEnvelope.write(
                generation,
                subscription.consumer(),
                new QName(generation.transfer("").getNamespaceURI(), subscription.topic(), "tns"),
                EndpointReference.of(serviceAddress, generation.transfer(RftNames.KEY), subscription.request()),
                WRAPPER,
                out -> {
                    out.open(generation.properties("ResourcePropertyValueChangeNotification"));
                    out.open(generation.properties("NewValue"));
                    write(out, subscription, present);
                    out.close().close();
                });
    }

    private void write(XmlWriter out, RftSubscription subscription, RftRequests.Present present) {
        RftProperties.StatusWriting writing = statuses.apply(subscription.generation());
        if (subscription.topic().equals(RftNames.STATUS)) {
            writing.request(out, present);
        } else {
            writing.overall(out, present);
        }
    }
}
