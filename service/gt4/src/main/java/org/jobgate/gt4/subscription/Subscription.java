// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * The wish of a client to be notified of a resource's states.
 *
 * @param resource the job, or the request to move files
 * @param generation how the subscriber wants to be told
 * @param topic the topic as the subscriber named it; messages repeat it, for clients ignore any other name (gt4-wire.md section 4, 1.9)
 * @param consumer where to send messages
 * @param expires when it ends by itself; absent means with the resource
 * @param isPaused whether nothing is told for the time being
 */
public record Subscription(
        String key,
        JobId resource,
        String owner,
        Generation generation,
        QName topic,
        EndpointReference consumer,
        @Nullable Instant expires,
        Instant created,
        boolean isPaused) {

    public Subscription {
        requireNonNull(key, "key is null");
        requireNonNull(resource, "resource is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(generation, "generation is null");
        requireNonNull(topic, "topic is null");
        requireNonNull(consumer, "consumer is null");
        requireNonNull(created, "created is null");
    }

    /** Whether it has ended by itself. */
    public boolean isOver(Instant now) {
        return expires != null && !expires.isAfter(now);
    }

    public Subscription withExpires(@Nullable Instant value) {
        return new Subscription(key, resource, owner, generation, topic, consumer, value, created, isPaused);
    }

    public Subscription withPaused(boolean value) {
        return new Subscription(key, resource, owner, generation, topic, consumer, expires, created, value);
    }
}
