// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jobgate.access.AuditRecords;
import org.jobgate.door.DoorClient;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorContract;
import org.jobgate.door.DoorRoom;
import org.jobgate.door.FrontDoor;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;
import org.jobgate.language.JobLanguages;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The REST API passes the contract of doors. */
class RestDoorTest extends DoorContract {

    private static final JsonMapper JSON = new JsonMapper();

    @Override
    protected FrontDoor door(DoorContext context) {
        Limit many = new Limit("api.many", 100);
        ApiSettings settings = new ApiSettings(
                "1.2.3",
                JobLimits.defaults(),
                many,
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                many,
                many,
                many,
                many,
                many,
                many,
                many);
        return new ApiDoor(settings, context, null, JobLanguages.NONE, AuditRecords.NONE, new NothingToAdminister());
    }

    @Override
    protected DoorClient client(DoorRoom room) {
        return new Client(room.url() + ApiServlet.PATH);
    }

    private record Client(String url) implements DoorClient {

        private static final HttpClient HTTP = HttpClient.newHttpClient();

        private record Answer(int status, String again, String text) {

            boolean isGood() {
                return status / 100 == 2;
            }

            JsonNode json() {
                return JSON.readTree(text);
            }
        }

        private Answer ask(Sender sender, String method, String path, String content, String... headers) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                    .timeout(Duration.ofMinutes(2))
                    .method(method, BodyPublishers.ofString(content));
            if (!content.isEmpty()) {
                request.header("Content-Type", "application/json");
            }
            if (sender.headers().length > 0) {
                request.headers(sender.headers());
            }
            if (headers.length > 0) {
                request.headers(headers);
            }
            try {
                var response = HTTP.send(request.build(), BodyHandlers.ofString());
                return new Answer(
                        response.statusCode(),
                        response.headers().firstValue("Retry-After").orElse("-"),
                        response.body());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Answer(0, "-", "interrupted");
            }
        }

        private static ObjectNode request(Wanted wanted) {
            return JSON.createObjectNode().put("executable", wanted.executable());
        }

        @Override
        public Said submit(Sender sender, Wanted wanted) {
            return said(ask(sender, "POST", "/jobs", request(wanted).toString(), "Idempotency-Key", wanted.clientId()));
        }

        private static Said said(Answer answer) {
            JobId id = answer.isGood() ? JobId.parse(answer.json().at("/id").asString()) : null;
            return new Said(
                    id,
                    answer.isGood()
                            ? answer.text()
                            : answer.status() + " Retry-After " + answer.again() + " " + answer.text());
        }

        @Override
        public Optional<List<Said>> submitAll(Sender sender, List<Wanted> wanted) {
            ObjectNode request = JSON.createObjectNode();
            ArrayNode jobs = request.putArray("jobs");
            wanted.forEach(one -> jobs.add(request(one).put("idempotencyKey", one.clientId())));
            List<Said> said = new ArrayList<>();
            for (JsonNode result :
                    ask(sender, "POST", "/bulk/jobs", request.toString()).json().at("/results")) {
                String id = result.at("/id").asString("");
                said.add(new Said(id.isEmpty() ? null : JobId.parse(id), result.toString()));
            }
            return Optional.of(said);
        }

        @Override
        public Said show(Sender sender, JobId job) {
            return said(ask(sender, "GET", "/jobs/" + job, ""));
        }

        @Override
        public Said destroy(Sender sender, JobId job) {
            Answer answer = ask(sender, "DELETE", "/jobs/" + job, "");
            return new Said(answer.isGood() ? job : null, answer.text());
        }

        @Override
        public String wordForLater(Later later) {
            return (later.room() == Later.Room.OWNER ? "429" : "503") + " Retry-After "
                    + later.after().toSeconds();
        }

        @Override
        public String word(JobState state) {
            return StateWord.of(state);
        }

        /** Waits for what comes after the last version that it knows; a version may bring no other state. */
        @Override
        public Followed follow(Sender sender, JobId job) {
            List<String> words = new CopyOnWriteArrayList<>();
            Thread thread = Thread.ofVirtual().start(() -> {
                long version = -1;
                while (!Thread.currentThread().isInterrupted()) {
                    Answer answer = ask(sender, "GET", "/jobs/" + job + "?wait=2&version=" + Math.max(version, 0), "");
                    if (!answer.isGood()) {
                        return;
                    }
                    version = answer.json().at("/version").asLong();
                    String word = answer.json().at("/state").asString();
                    if (words.isEmpty() || !words.getLast().equals(word)) {
                        words.add(word);
                    }
                }
            });
            return new Followed() {
                @Override
                public List<String> words() {
                    return words;
                }

                @Override
                public void close() {
                    thread.interrupt();
                }
            };
        }
    }
}
