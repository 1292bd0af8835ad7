// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jobgate.adl.ActivityRules;
import org.jobgate.door.DoorClient;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorContract;
import org.jobgate.door.DoorRoom;
import org.jobgate.door.FrontDoor;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;
import org.jobgate.limits.JobLimits;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The door of ARC's REST interface passes the contract of doors. */
class ArcDoorTest extends DoorContract {

    @TempDir
    Path homes;

    @Override
    protected FrontDoor door(DoorContext context) {
        DiskFiles files = new DiskFiles();
        DoorContext withFiles = new DoorContext(
                context.url(),
                context.addresses(),
                context.bodyBytes(),
                context.access(),
                context.jobs(),
                context.records(),
                context.changes(),
                context.deliveries(),
                context.callbacks(),
                files,
                files,
                context.trees(),
                context.delegations(),
                context.clock(),
                context.random());
        return new ArcDoor(
                ArcRoom.settings(Duration.ofHours(1)),
                ActivityRules.of(JobLimits.defaults()),
                account -> homes + "/" + account,
                withFiles);
    }

    @Override
    protected DoorClient client(DoorRoom room) {
        return new Client(room.url() + "/arex/rest/1.0/jobs");
    }

    private record Client(String jobs) implements DoorClient {

        private static final HttpClient HTTP = HttpClient.newHttpClient();
        private static final JsonMapper JSON = new JsonMapper();

        private String ask(Sender sender, String action, String type, String body) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(jobs + "?action=" + action))
                    .header("Accept", "application/json")
                    .header("Content-Type", type)
                    .POST(BodyPublishers.ofString(body));
            if (sender.headers().length > 0) {
                request.headers(sender.headers());
            }
            try {
                HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
                String again = response.headers().firstValue("Retry-After").orElse("-");
                return response.statusCode() / 100 == 2
                        ? response.body()
                        : response.statusCode() + " Retry-After " + again + " " + response.body();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "interrupted";
            }
        }

        @Override
        public Said submit(Sender sender, Wanted wanted) {
            return submitAll(sender, List.of(wanted)).orElseThrow().getFirst();
        }

        @Override
        public Optional<List<Said>> submitAll(Sender sender, List<Wanted> wanted) {
            String body = wanted.stream()
                    .map(job -> ArcRoom.adl(
                                    "<Executable><Path>" + job.executable()
                                            + "</Path></Executable><Environment><Name>GRAM_CLIENT_KEY</Name><Value>"
                                            + job.clientId() + "</Value></Environment>",
                                    "")
                            .replaceFirst("^<\\?[^>]*>", ""))
                    .collect(Collectors.joining(
                            "",
                            "<ActivityDescriptions xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">",
                            "</ActivityDescriptions>"));
            return Optional.of(said(ask(sender, "new", "application/xml", body)));
        }

        private static List<Said> said(String answer) {
            JsonNode items = answer.startsWith("{") ? JSON.readTree(answer).get("job") : null;
            if (items == null) {
                return List.of(new Said(null, answer));
            }
            List<Said> said = new ArrayList<>();
            for (JsonNode item : items) {
                boolean isGood = item.get("status-code").asString().startsWith("20");
                said.add(new Said(isGood ? JobId.parse(item.get("id").asString()) : null, item.toString()));
            }
            return said;
        }

        private Said one(Sender sender, String action, JobId job) {
            return said(ask(sender, action, "application/json", ArcRoom.ids(job)))
                    .getFirst();
        }

        @Override
        public Said show(Sender sender, JobId job) {
            return one(sender, "status", job);
        }

        @Override
        public Said destroy(Sender sender, JobId job) {
            return one(sender, "clean", job);
        }

        @Override
        public String wordForLater(Later later) {
            String status = later.room() == Later.Room.OWNER ? "429" : "503";
            // a limit is told of each job of the request, whose part of the answer has a status and no header
            boolean isOfJob = later.equals(Later.whenThereIsRoom(later.room()));
            return isOfJob
                    ? "\"status-code\":\"" + status + "\""
                    : status + " Retry-After " + later.after().toSeconds();
        }

        @Override
        public String word(JobState state) {
            return switch (state) {
                case PENDING -> "QUEUING";
                case ACTIVE -> "RUNNING";
                case DONE -> "FINISHED";
                default -> throw new IllegalArgumentException("the contract does not ask for " + state);
            };
        }

        @Override
        public Followed follow(Sender sender, JobId job) {
            List<String> words = new CopyOnWriteArrayList<>();
            Thread thread = Thread.ofVirtual().start(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    String answer = ask(sender, "status", "application/json", ArcRoom.ids(job));
                    if (!answer.startsWith("{")) {
                        return;
                    }
                    String word =
                            JSON.readTree(answer).get("job").get(0).get("state").asString();
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
