// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
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
import org.jspecify.annotations.Nullable;

/**
 * Somebody's wish to be told how a request stands.
 *
 * @param request its key
 * @param topic the property by its local name
 * @param expires when it ends by itself; absent means with the request
 */
record RftSubscription(
        String key,
        String request,
        String owner,
        Generation generation,
        String topic,
        EndpointReference consumer,
        @Nullable Instant expires,
        Instant created,
        boolean isPaused) {

    static final String KIND = "rft.subscription";

    private static final String NAMESPACE = "https://jobgate.org/ns/2026/subscription";
    private static final QName ROOT = new QName(NAMESPACE, "subscription", "s");
    private static final QName CONSUMER = new QName(NAMESPACE, "consumer", "s");

    RftSubscription {
        requireNonNull(key, "key is null");
        requireNonNull(request, "request is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(generation, "generation is null");
        requireNonNull(topic, "topic is null");
        requireNonNull(consumer, "consumer is null");
        requireNonNull(created, "created is null");
    }

    RftSubscription expiring(@Nullable Instant time) {
        return new RftSubscription(key, request, owner, generation, topic, consumer, time, created, isPaused);
    }

    RftSubscription paused(boolean value) {
        return new RftSubscription(key, request, owner, generation, topic, consumer, expires, created, value);
    }

    /** As the store keeps it: in XML, for what the consumer's reference holds must stay as it is. */
    DoorRecord record() {
        String body = XmlWriter.toText(out -> {
            out.open(ROOT).attribute("generation", generation.name()).attribute("topic", topic);
            if (isPaused) {
                out.attribute("paused", "true");
            }
            Optional.ofNullable(expires).ifPresent(time -> out.attribute("expires", Times.format(time)));
            consumer.write(out, generation, CONSUMER);
            out.close();
        });
        return new DoorRecord(KIND, key, JobId.parse(request), owner, body, created);
    }

    static RftSubscription of(DoorRecord record) {
        XmlElement root = XmlTree.parse(record.body().getBytes(StandardCharsets.UTF_8), XmlLimits.defaults());
        return new RftSubscription(
                record.id(),
                String.valueOf(record.job()),
                String.valueOf(record.owner()),
                root.attribute("generation").map(Generation::valueOf).orElse(Generation.GT40),
                root.attribute("topic").orElse(RftNames.OVERALL),
                EndpointReference.read(root.child("consumer")
                        .orElseThrow(() ->
                                new IllegalStateException("the subscription " + record.id() + " has no consumer"))),
                root.attribute("expires").map(Times::parse).orElse(null),
                record.created(),
                root.attribute("paused").isPresent());
    }
}
