// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Times;
import org.jobgate.job.JobId;
import org.jobgate.store.DoorRecord;
import org.jobgate.xml.XmlElement;
import org.jobgate.xml.XmlLimits;
import org.jobgate.xml.XmlTree;
import org.jobgate.xml.XmlWriter;

/** Subscriptions as the store keeps them: XML of our own, for the consumer's reference properties are XML that must stay as it is. */
final class SubscriptionRecords {

    private static final String NAMESPACE = "https://jobgate.org/ns/2026/subscription";
    private static final QName ROOT = new QName(NAMESPACE, "subscription", "s");
    private static final QName TOPIC = new QName(NAMESPACE, "topic", "s");
    private static final QName CONSUMER = new QName(NAMESPACE, "consumer", "s");
    private static final QName EXPIRES = new QName(NAMESPACE, "expires", "s");

    private final String kind;

    SubscriptionRecords(String kind) {
        this.kind = requireNonNull(kind, "kind is null");
    }

    DoorRecord write(Subscription subscription) {
        String body = XmlWriter.toText(out -> {
            out.open(ROOT).attribute("generation", subscription.generation().name());
            if (subscription.isPaused()) {
                out.attribute("paused", "true");
            }
            out.open(TOPIC).text(out.qualified(subscription.topic())).close();
            subscription.consumer().write(out, subscription.generation(), CONSUMER);
            if (subscription.expires() != null) {
                out.element(EXPIRES, Times.format(subscription.expires()));
            }
            out.close();
        });
        return new DoorRecord(
                kind, subscription.key(), subscription.resource(), subscription.owner(), body, subscription.created());
    }

    Subscription read(DoorRecord record) {
        XmlElement root = XmlTree.parse(record.body().getBytes(StandardCharsets.UTF_8), XmlLimits.defaults());
        JobId job = record.job();
        String owner = record.owner();
        if (job == null || owner == null) {
            throw new IllegalStateException("the subscription " + record.id() + " names no job or no owner");
        }
        Generation generation =
                root.attribute("generation").map(Generation::valueOf).orElse(Generation.GT40);
        // RFT kept the topic and the end as attributes before it shared this class
        QName topic = root.child("topic")
                .flatMap(XmlElement::qualifiedName)
                .or(() -> root.attribute("topic").map(generation::transfer))
                .map(name -> new QName(name.getNamespaceURI(), name.getLocalPart(), "tns"))
                .orElseThrow(() -> new IllegalStateException("the subscription " + record.id() + " names no topic"));
        Instant expires = root.child("expires")
                .map(XmlElement::text)
                .or(() -> root.attribute("expires"))
                .map(Times::parse)
                .orElse(null);
        return new Subscription(
                record.id(),
                job,
                owner,
                generation,
                topic,
                EndpointReference.read(root.child("consumer")
                        .orElseThrow(() ->
                                new IllegalStateException("the subscription " + record.id() + " has no consumer"))),
                expires,
                record.created(),
                root.attribute("paused").isPresent());
    }
}
