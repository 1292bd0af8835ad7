// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import java.util.UUID;
import javax.xml.namespace.QName;
import org.jobgate.xml.XmlContent;
import org.jobgate.xml.XmlWriter;

/** Writes the {@code Notify} that tells a consumer something (facts/gt4-wire.md section 4, 1.9; captures 10, 11, 34, 51 and 58). */
public final class NotifyEnvelope {

    private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";

    private NotifyEnvelope() {}

    /**
     * The message, ready to be sent.
     *
     * @param consumer as the subscription names it; its reference properties become headers
     * @param topic as the subscription names it
     * @param producer the resource that the message is about
     * @param wrapper the type of the wrapped content: a GT 4.0 consumer answers HTTP 500 without it
     * @param content writes what is told
     */
    public static byte[] write(
            Generation generation,
            EndpointReference consumer,
            QName topic,
            EndpointReference producer,
            QName wrapper,
            XmlContent content) {
        return XmlWriter.toDocument(out -> {
            out.open(soap("Envelope"));
            writeHeader(out, generation, consumer);
            out.open(soap("Body")).open(generation.notification("Notify"));
            out.open(generation.notification("NotificationMessage"));
            out.open(generation.notification("Topic")).attribute("Dialect", generation.simpleTopics());
            out.text(out.qualified(topic)).close();
            producer.write(out, generation, generation.notification("ProducerReference"));
            out.open(generation.notification("Message"));
            if (generation == Generation.GT40) {
                out.type(wrapper);
            }
            content.write(out);
            out.close().close().close().close().close();
        });
    }

    private static QName soap(String name) {
        return new QName(SOAP, name, "soap");
    }

    private static void writeHeader(XmlWriter out, Generation generation, EndpointReference consumer) {
        out.open(soap("Header")).binding(generation.addressing("To"));
        out.element(generation.addressing("MessageID"), "uuid:" + UUID.randomUUID());
        out.element(generation.addressing("To"), consumer.address());
        // a GT 4.2 consumer refuses a message without it
        out.element(generation.addressing("Action"), Actions.notify(generation));
        EndpointReference.of(generation.anonymous()).write(out, generation, generation.addressing("From"));
        // without its reference properties as headers a GT4 consumer answers HTTP 500
        consumer.given().forEach(out::copy);
        out.close();
    }
}
