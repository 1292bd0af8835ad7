// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door.toy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jobgate.door.DoorClient;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorContract;
import org.jobgate.door.DoorRoom;
import org.jobgate.door.FrontDoor;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;

/** The toy door passes the contract of doors. */
class ToyDoorTest extends DoorContract {

    @Override
    protected FrontDoor door(DoorContext context) {
        return new ToyDoor(context);
    }

    @Override
    protected DoorClient client(DoorRoom room) {
        return new Client(room.url() + ToyDoor.ROOT + "/jobs");
    }

    private record Client(String jobs) implements DoorClient {

        private static final HttpClient HTTP = HttpClient.newHttpClient();

        private String ask(Sender sender, String path, String method, String body) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(jobs + path)).method(method, BodyPublishers.ofString(body));
            if (sender.headers().length > 0) {
                request.headers(sender.headers());
            }
            try {
                return HTTP.send(request.build(), BodyHandlers.ofString())
                        .body()
                        .strip();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "!interrupted";
            }
        }

        @Override
        public Said submit(Sender sender, Wanted wanted) {
            return submitAll(sender, List.of(wanted)).orElseThrow().getFirst();
        }

        @Override
        public Optional<List<Said>> submitAll(Sender sender, List<Wanted> wanted) {
            String lines = wanted.stream()
                    .map(job -> job.clientId().replace(' ', '-') + " " + job.executable())
                    .collect(Collectors.joining("\n"));
            return Optional.of(
                    ask(sender, "", "POST", lines).lines().map(Client::said).toList());
        }

        private static Said said(String line) {
            return new Said(isId(line) ? JobId.parse(line) : null, line);
        }

        /** A refusal begins with an exclamation mark; what the HTTP server says of a request that failed is no id either. */
        private static boolean isId(String line) {
            return line.matches("[0-9a-f-]{36}");
        }

        @Override
        public Said show(Sender sender, JobId job) {
            String answer = ask(sender, "/" + job, "GET", "");
            return new Said(answer.startsWith("!") ? null : job, answer);
        }

        @Override
        public Said destroy(Sender sender, JobId job) {
            String answer = ask(sender, "/" + job, "DELETE", "");
            return new Said(answer.equals("gone") ? job : null, answer);
        }

        @Override
        public String wordForLater(Later later) {
            return "!LATER ";
        }

        @Override
        public String word(JobState state) {
            return ToyDoor.word(state);
        }

        /** Asks for what comes after the last version that it knows; several states may have the same word, which is told once then. */
        @Override
        public Followed follow(Sender sender, JobId job) {
            List<String> words = new CopyOnWriteArrayList<>();
            Thread thread = Thread.ofVirtual().start(() -> {
                String version = "-1";
                while (!Thread.currentThread().isInterrupted()) {
                    String[] answer = ask(sender, "/" + job + "?after=" + version, "GET", "")
                            .split(" ", -1);
                    version = answer[0];
                    if (words.isEmpty() || !words.getLast().equals(answer[1])) {
                        words.add(answer[1]);
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
