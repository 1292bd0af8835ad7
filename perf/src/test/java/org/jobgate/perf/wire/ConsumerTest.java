// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A consumer as the service meets it, over HTTP. */
class ConsumerTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final AtomicLong seconds = new AtomicLong();
    /** A second later each time it is asked. */
    private final InstantSource ticks = () -> Instant.ofEpochSecond(seconds.incrementAndGet());

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private Consumer consumer;

    @BeforeEach
    void open() throws IOException {
        consumer = Consumer.open(ticks.withZone(ZoneOffset.UTC));
    }

    @AfterEach
    void close() {
        consumer.close();
        http.close();
    }

    private int post(String message) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(consumer.url()))
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(message))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Test
    void theEndOfAJobIsKeptWithTheTimeOfItsFirstMessage() throws Exception {
        assertThat(post(Replies.notify("one", "Active"))).isEqualTo(200);
        assertThat(consumer.end("one")).isEmpty();

        assertThat(post(Replies.notify("one", "Done"))).isEqualTo(200);
        assertThat(post(Replies.notify("one", "Done"))).isEqualTo(200);
        assertThat(post(Replies.notify("two", "Failed"))).isEqualTo(200);

        assertThat(consumer.end("one")).contains(new ToldEnd("Done", Instant.ofEpochSecond(2)));
        assertThat(consumer.end("two")).contains(new ToldEnd("Failed", Instant.ofEpochSecond(4)));
        assertThat(consumer.end("three")).isEmpty();
        assertThat(consumer.troubles()).isEmpty();
    }

    @Test
    void whatIsNoMessageIsRefusedAndTold() throws Exception {
        assertThat(post("hello")).isEqualTo(400);
        assertThat(post(Replies.notify("", "Done"))).isEqualTo(400);
        assertThat(post(" ".repeat(70_000))).isEqualTo(400);

        assertThat(consumer.troubles())
                .hasSize(3)
                .anyMatch(trouble -> trouble.contains("names no job"))
                .anyMatch(trouble -> trouble.contains("more than 65536 bytes"));
    }

    @Test
    void ofManyTroublesTheFirstAreKept() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(post("hello")).isEqualTo(400);
        }
        assertThat(consumer.troubles()).hasSize(10);
    }
}
