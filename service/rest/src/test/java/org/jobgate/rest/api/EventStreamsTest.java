// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Server-sent events, read as a browser reads them. */
class EventStreamsTest extends ApiRoom {

    /** One event. */
    private record Event(String name, String id, String data) {
        JsonNode json() {
            return new JsonMapper().readTree(data);
        }
    }

    /** A follower, which closes its connection when it is closed. */
    private final class Follower implements AutoCloseable {
        private final InputStream in;
        private final List<Event> events = new CopyOnWriteArrayList<>();
        private final List<String> comments = new CopyOnWriteArrayList<>();
        private volatile String lastId = "";
        private volatile boolean ended;

        Follower(String path, String... headers) throws Exception {
            HttpRequest.Builder request = request(path, headers).header("Subject", ALICE);
            HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");
            this.in = response.body();
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                String name = "";
                String data = "";
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    if (line.isEmpty()) {
                        if (!data.isEmpty()) {
                            events.add(new Event(name, lastId, data));
                        }
                        name = "";
                        data = "";
                    } else if (line.startsWith(":")) {
                        comments.add(line);
                    } else if (line.startsWith("event: ")) {
                        name = line.substring(7);
                    } else if (line.startsWith("id: ")) {
                        lastId = line.substring(4);
                    } else if (line.startsWith("data: ")) {
                        data = line.substring(6);
                    }
                }
            } catch (IOException e) {
                comments.add("broken");
            }
            ended = true;
        }

        List<Event> named(String name) {
            return events.stream().filter(event -> event.name().equals(name)).toList();
        }

        Follower awaits(String name, int count) {
            await().atMost(Duration.ofMinutes(1)).until(() -> named(name).size() >= count);
            return this;
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private List<String> history(String id) throws Exception {
        return get(ALICE, "/jobs/" + id + "/history")
                .json()
                .get("changes")
                .valueStream()
                .map(change -> change.get("cursor").asString())
                .toList();
    }

    @Test
    void theChangesOfAllOwnJobsComeAsTheyHappen() throws Exception {
        try (Follower follower = new Follower("/events")) {
            follower.awaits("ready", 1);
            String id = submit(ALICE, TRUE);
            submit(BOB, TRUE);
            finish(id, 0);
            List<String> all = history(id);
            follower.awaits("change", all.size());
            assertThat(follower.named("change").stream().map(Event::id)).isEqualTo(all);
            assertThat(follower.named("change"))
                    .allSatisfy(event ->
                            assertThat(event.json().get("job").asString()).isEqualTo(id));
            await().atMost(Duration.ofMinutes(1)).until(() -> !follower.comments.isEmpty());
        }
    }

    @Test
    void whoComesBackGoesOnWithoutAGapOrADoubleAlsoAfterARestart() throws Exception {
        List<String> told = new ArrayList<>();
        String id = submit(ALICE, TRUE);
        String last;
        try (Follower follower = new Follower("/events?since=0")) {
            awaitInLrm(id);
            follower.awaits("change", history(id).size());
            follower.named("change").forEach(event -> told.add(event.id()));
            last = follower.lastId;
        }
        finish(id, 0);
        restart();
        try (Follower follower = new Follower("/events", "Last-Event-ID", last)) {
            List<String> all = history(id);
            follower.awaits("change", all.size() - told.size());
            follower.named("change").forEach(event -> told.add(event.id()));
            assertThat(told).isEqualTo(all);
        }
    }

    @Test
    void oneJobIsFollowedToItsEnd() throws Exception {
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        try (Follower follower = new Follower("/jobs/" + id + "/events")) {
            follower.awaits("job", 1);
            assertThat(follower.named("job").getFirst().json().get("id").asString())
                    .isEqualTo(id);
            String other = submit(ALICE, TRUE);
            awaitInLrm(other);
            finish(id, 4);
            follower.awaits("end", 1);
            assertThat(follower.named("job").getLast().json().get("exitCode").asInt())
                    .isEqualTo(4);
            assertThat(follower.named("change"))
                    .allSatisfy(event ->
                            assertThat(event.json().get("job").asString()).isEqualTo(id));
            await().atMost(Duration.ofMinutes(1)).until(() -> follower.ended);
            // a browser that comes back is told to stay away
            get(ALICE, "/jobs/" + id + "/events", "Last-Event-ID", follower.lastId)
                    .is(204);
        }
    }

    @Test
    void aFilterChoosesAndTheIdMovesOnAllTheSame() throws Exception {
        String before = get(ALICE, "/changes").at("/next");
        try (Follower follower = new Follower("/events?state=Done&since=" + before)) {
            String id = submit(ALICE, TRUE);
            awaitInLrm(id);
            String waiting = history(id).getLast();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> Long.parseLong(follower.lastId) >= Long.parseLong(waiting));
            assertThat(follower.named("change")).isEmpty();
            finish(id, 0);
            follower.awaits("change", 1);
            assertThat(follower.named("change").getFirst().json().get("to").asString())
                    .isEqualTo("Done");
        }
    }

    @Test
    void followersAreBoundedByOwnerAndInAll() throws Exception {
        try (Follower one = new Follower("/events");
                Follower two = new Follower("/events")) {
            one.awaits("ready", 1);
            two.awaits("ready", 1);
            Answer refused = get(ALICE, "/events").isProblem(429, "LIMIT_EXCEEDED");
            assertThat(refused.at("/limit")).isEqualTo("api.maxFollowersPerOwner");
            assertThat(refused.header("Retry-After")).isNotEmpty();
        }
        String id = submit(ALICE, TRUE);
        awaitInLrm(id);
        // who is gone is noticed with the next sign of life
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            try (Follower again = new Follower("/events")) {
                return true;
            } catch (AssertionError full) {
                return false;
            }
        });
    }

    @Test
    void aFollowerWhoIsNoLongerAdmittedIsToldAndCutOff() throws Exception {
        engine.endWaits();
        try (Follower follower = new Follower("/events")) {
            await().atMost(Duration.ofMinutes(1)).until(() -> follower.ended);
        }
    }

    @Test
    void aClientThatReadsNothingKeepsNobodyElseBack() throws Exception {
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port())) {
            silent.setReceiveBufferSize(1_024);
            silent.getOutputStream()
                    .write(("GET /api/v1/events?since=0 HTTP/1.1\r\nHost: localhost\r\nSubject: " + ALICE + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            try (Follower follower = new Follower("/events")) {
                follower.awaits("ready", 1);
                String id = submit(ALICE, TRUE);
                awaitInLrm(id);
                lrm.start(JobId.parse(id));
                follower.awaits("change", 2);
            }
        }
    }
}
