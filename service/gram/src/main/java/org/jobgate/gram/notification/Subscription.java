// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import javax.xml.namespace.QName;
import org.jobgate.gt4.EndpointReference;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's wish to be told of a job's states.
 *
 * @param generation how he wants to be told
 * @param topic the topic as he named it; messages repeat it, for others are ignored without a word (gt4-wire.md section 4, 1.9)
 * @param consumer where to send messages
 * @param expires when it ends by itself; absent means with the job
 * @param isPaused whether nothing is told for the time being
 */
public record Subscription(
        String key,
        JobId job,
        String owner,
        Generation generation,
        QName topic,
        EndpointReference consumer,
        @Nullable Instant expires,
        Instant created,
        boolean isPaused) {

    public static final String RECORD_KIND = "gram.subscription";

    public Subscription {
        requireNonNull(key, "key is null");
        requireNonNull(job, "job is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(generation, "generation is null");
        requireNonNull(topic, "topic is null");
        requireNonNull(consumer, "consumer is null");
        requireNonNull(created, "created is null");
    }

    /** Whether it is about the job's rendezvous, and not about its state. */
    boolean isOfRendezvous() {
        return JobTopics.isRendezvous(topic, generation);
    }

    public Subscription withExpires(@Nullable Instant value) {
        return new Subscription(key, job, owner, generation, topic, consumer, value, created, isPaused);
    }

    public Subscription withPaused(boolean value) {
        return new Subscription(key, job, owner, generation, topic, consumer, expires, created, value);
    }
}
