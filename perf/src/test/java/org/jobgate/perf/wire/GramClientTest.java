// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The whole client, over real TLS, against a server that says what the test wants. */
class GramClientTest extends WireRoom {

    private static final JobRequest REQUEST = JobRequest.noOp("some-key", Instant.parse("2026-11-21T14:57:46Z"));

    private GramClient client(String host) {
        return new GramClient(connection(host), new GramMessages("https://localhost", "Fork", UUID::randomUUID));
    }

    @Test
    void aConnectionComesFromTheAddressThatIsAskedFor() throws Exception {
        serve(request -> StubServer.ok(Replies.CREATED));
        try (GramClient client = client("localhost")) {
            client.connection().from(InetAddress.getByName("127.0.7.9"));
            client.create(REQUEST);
        }
        assertThat(server.addresses).containsExactly("127.0.7.9");
    }

    @Test
    void manyCreatesGoOverOneConnectionWithTheUsersCertificate() throws Exception {
        serve(request -> StubServer.ok(Replies.CREATED));
        try (GramClient client = client("localhost")) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.create(REQUEST)).isEqualTo(Replies.JOB_ID);
            }
            assertThat(client.connection().connects()).isEqualTo(1);
        }
        assertThat(server.peers).containsExactly("CN=Alice Tester");
        assertThat(server.requests).hasSize(20).allMatch(request -> request.contains("uuid:some-key"));
    }

    @Test
    void jobsOfARequestOfWhichOneWasRefusedAreNotAllTaken() throws Exception {
        serve(request -> StubServer.ok(Replies.ONE_OF_TWO));
        try (GramClient client = client("localhost")) {
            client.createMany(List.of(REQUEST));
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.createMany(List.of(REQUEST, REQUEST)))
                    .withMessageContaining("1 of 2")
                    .withMessageContaining("limits.maxLiveJobs is 10");
        }
        assertThat(server.requests).last().asString().contains("<create>").contains("uuid:some-key");
    }

    @Test
    void jobsOfAListAreCountedByTheirStates() throws Exception {
        serve(request -> StubServer.ok(Replies.TWO_LISTED));
        try (GramClient client = client("localhost")) {
            GramClient.JobList list = client.list(1_000);

            assertThat(list.jobs()).isEqualTo(2);
            assertThat(list.seconds()).isPositive();
        }
        assertThat(server.requests).singleElement().asString().contains("<maxJobs>1000</maxJobs>");
    }

    @Test
    void aJobIsSeenWithItsExitCode() throws Exception {
        serve(request -> StubServer.ok(Replies.DONE));
        try (GramClient client = client("localhost")) {
            GramClient.JobView view = client.view(Replies.JOB_ID);

            assertThat(view.state()).isEqualTo("Done");
            assertThat(view.exitCode()).contains(3);
        }
    }

    @Test
    void whoWaitsSaysWhatItHasSeenAndIsAnsweredLikeOneThatAsks() throws Exception {
        serve(request -> StubServer.ok(Replies.DONE));
        try (GramClient client = client("localhost")) {
            assertThat(client.viewOnChange(Replies.JOB_ID, "Active", Duration.ofSeconds(7))
                            .state())
                    .isEqualTo("Done");
        }
        assertThat(server.requests).singleElement().asString().contains("timeoutMs=\"7000\" state=\"Active\"");
    }

    @Test
    void aJobThatRunsHasNoExitCode() throws Exception {
        serve(request -> StubServer.ok(Replies.ACTIVE));
        try (GramClient client = client("localhost")) {
            assertThat(client.view(Replies.JOB_ID).exitCode()).isEmpty();
        }
    }

    @Test
    void aFaultIsARefusalWithItsSentence() throws Exception {
        serve(request -> StubServer.ok(Replies.FAULT).replace("200 OK", "500 Internal Server Error"));
        try (GramClient client = client("localhost")) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.create(REQUEST))
                    .withMessageContaining("limits.maxLiveJobs is 10")
                    .withMessageContaining("500");
        }
    }

    @Test
    void aPlainErrorPageIsARefusalToo() throws Exception {
        serve(request -> "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy");
        try (GramClient client = client("localhost")) {
            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> client.create(REQUEST))
                    .withMessageContaining("503")
                    .withMessageContaining("busy");
        }
    }

    @Test
    void aServerThatDiesIsAnUnclearAnswerAndTheNextCallConnectsAnew() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        serve(request -> calls.incrementAndGet() == 1 ? "" : StubServer.ok(Replies.CREATED));
        try (GramClient client = client("localhost")) {
            assertThatIOException().isThrownBy(() -> client.create(REQUEST));
            assertThat(client.create(REQUEST)).isEqualTo(Replies.JOB_ID);
            assertThat(client.connection().connects()).isEqualTo(2);
        }
    }

    @Test
    void aReplyThatNamesNoJobIsNoAcknowledgement() throws Exception {
        serve(request -> StubServer.ok(Replies.DONE));
        try (GramClient client = client("localhost")) {
            assertThatIOException().isThrownBy(() -> client.create(REQUEST)).withMessageContaining("names no job");
        }
    }

    @Test
    void aServerOfAnotherNameIsNotSpokenTo() throws Exception {
        serve(request -> StubServer.ok(Replies.CREATED));
        try (GramClient client = client("elsewhere.example.org")) {
            assertThatIOException().isThrownBy(() -> client.create(REQUEST));
        }
        assertThat(server.requests).isEmpty();
    }
}
