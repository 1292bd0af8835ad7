// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.util.UUID;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jobgate.gt4.Actions;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.xml.XmlWriter;

/** Writes the {@code Notify} that tells how a request stands (facts/gt4-wire.md section 4, 6 RFT Notify; capture 34). */
final class RftMessage {

    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
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
        return XmlWriter.toDocument(out -> {
            out.open(soap("Envelope"));
            writeHeader(out, generation, subscription.consumer());
            out.open(soap("Body")).open(generation.notification("Notify"));
            out.open(generation.notification("NotificationMessage"));
            out.open(generation.notification("Topic")).attribute("Dialect", generation.simpleTopics());
            QName topic = new QName(generation.transfer("").getNamespaceURI(), subscription.topic(), "tns");
            out.text(out.qualified(topic)).close();
            EndpointReference.of(serviceAddress, generation.transfer(RftNames.KEY), subscription.request())
                    .write(out, generation, generation.notification("ProducerReference"));
            out.open(generation.notification("Message"));
            if (generation == Generation.GT40) {
                out.type(WRAPPER); // without it a GT 4.0 consumer answers HTTP 500
            }
            out.open(generation.properties("ResourcePropertyValueChangeNotification"));
            out.open(generation.properties("NewValue"));
            write(out, subscription, present);
            out.close().close().close().close().close().close().close();
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

    private static QName soap(String name) {
        return new QName(SOAP, name, "soap");
    }

    private static void writeHeader(XmlWriter out, Generation generation, EndpointReference consumer) {
        out.open(soap("Header")).binding(generation.addressing("To"));
        out.element(generation.addressing("MessageID"), "uuid:" + UUID.randomUUID());
        out.element(generation.addressing("To"), consumer.address());
        out.element(generation.addressing("Action"), Actions.notify(generation));
        EndpointReference.of(generation.anonymous()).write(out, generation, generation.addressing("From"));
        consumer.given().forEach(out::copy);
        out.close();
    }
}
