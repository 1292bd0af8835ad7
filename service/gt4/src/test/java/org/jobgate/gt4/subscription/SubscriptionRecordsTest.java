// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobId;
import org.jobgate.store.DoorRecord;
import org.junit.jupiter.api.Test;

class SubscriptionRecordsTest {

    private static final Instant CREATED = Instant.parse("2026-11-24T10:00:00Z");
    private static final Instant EXPIRES = Instant.parse("2026-11-25T12:00:00Z");

    private final SubscriptionRecords records = new SubscriptionRecords("rft.subscription");

    /** As the build of 24 November 2026 kept one, with the topic and the end as attributes. */
    @Test
    void whatRftKeptBeforeIsReadAndKeptAnew() {
        JobId request = JobId.parse("2f1c6b1e-6b0a-4c1e-9d55-0c1e6f6d7a11");
        String body = "<s:subscription xmlns:s='https://jobgate.org/ns/2026/subscription' generation='GT42'"
                + " topic='RequestStatusProperty' paused='true' expires='2026-11-25T12:00:00Z'>"
                + "<s:consumer><a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>https://c.example.org/n</a:Address>"
                + "</s:consumer></s:subscription>";
        Subscription subscription =
                records.read(new DoorRecord("rft.subscription", "key-1", request, "/CN=ann", body, CREATED));
        assertThat(subscription.resource()).isEqualTo(request);
        assertThat(subscription.owner()).isEqualTo("/CN=ann");
        assertThat(subscription.generation()).isEqualTo(Generation.GT42);
        assertThat(subscription.topic()).isEqualTo(Generation.GT42.transfer("RequestStatusProperty"));
        assertThat(subscription.consumer().address()).isEqualTo("https://c.example.org/n");
        assertThat(subscription.isPaused()).isTrue();
        assertThat(subscription.isOver(EXPIRES)).isTrue();
        assertThat(subscription.isOver(EXPIRES.minusMillis(1))).isFalse();
        DoorRecord anew = records.write(subscription);
        assertThat(anew.body()).doesNotContain("topic=");
        assertThat(records.write(records.read(anew)).body()).isEqualTo(anew.body());
        assertThat(records.read(anew).expires()).isEqualTo(EXPIRES);
        assertThat(records.read(anew).topic()).isEqualTo(subscription.topic());
    }
}
