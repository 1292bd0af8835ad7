// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.awaitility.Awaitility;
import org.jobgate.door.DoorClient;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorContract;
import org.jobgate.door.DoorRoom;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;
import org.jobgate.soap.Answer;
import org.jobgate.soap.MessageGuards;
import org.jobgate.soap.SoapMount;
import org.jobgate.xml.XmlElement;

/** CREAM2 passes the contract of doors. Jobs are followed by their events. */
class CreamContractTest extends DoorContract {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Override
    protected FrontDoor door(DoorContext context) {
        return new CreamDoor(
                CreamRoom.settings(),
                new Directories().in(context, null),
                List.of(),
                query -> Optional.empty(),
                CreamRoom.places(new AtomicReference<>("/home/"), new AtomicReference<>("")));
    }

    @Override
    protected Servlet servlet(Mount mount) {
        Bus bus = new CXFBusFactory().createBus();
        ((SoapMount) mount).publish(bus, MessageGuards.NONE);
        CXFNonSpringServlet servlet = new CXFNonSpringServlet();
        servlet.setBus(bus);
        return servlet;
    }

    @Override
    protected DoorClient client(DoorRoom room) {
        return new Client(room.url() + CreamDoor.ROOT + "/CREAM2", new ConcurrentHashMap<>());
    }

    /** @param names how CREAM calls the jobs */
    private record Client(String address, Map<JobId, String> names) implements DoorClient {

        /** No job ever has this name: a number of nine digits that is minted last. */
        private static final String NEVER = "CREAM000000000";

        private Answer post(Sender sender, String body) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
                    .headers("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"\"")
                    .POST(BodyPublishers.ofString(CreamRoom.envelope(body)));
            if (sender.headers().length > 0) {
                request.headers(sender.headers());
            }
            try {
                HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
                return new Answer(response.statusCode(), response.body());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        private static String description(Wanted wanted) {
            UUID id = UUID.nameUUIDFromBytes(wanted.clientId().getBytes(StandardCharsets.UTF_8));
            return "<jobDescriptionList jobDescriptionId='" + id + "'><JDL>[Executable=\"" + wanted.executable()
                    + "\";BatchSystem=\"fork\";QueueName=\"any\"]</JDL></jobDescriptionList>";
        }

        @Override
        public Said submit(Sender sender, Wanted wanted) {
            return submitAll(sender, List.of(wanted)).orElseThrow().getFirst();
        }

        @Override
        public Optional<List<Said>> submitAll(Sender sender, List<Wanted> wanted) {
            Answer answer = post(
                    sender,
                    CreamRoom.element(
                            "JobRegisterRequest",
                            wanted.stream().map(Client::description).collect(Collectors.joining())));
            return Optional.of(
                    answer.status() != 200
                            ? List.of(new Said(null, answer.text()))
                            : answer.body().children().stream().map(this::said).toList());
        }

        private Said said(XmlElement result) {
            Optional<String> name =
                    result.child("jobId").flatMap(id -> id.child("id")).map(XmlElement::text);
            if (name.isEmpty()) {
                return new Said(null, CreamRoom.text(result));
            }
            JobId id = JobId.parse(CreamRoom.text(result).replaceAll("(?s).*/jobs/([0-9a-f-]{36})/files/.*", "$1"));
            names.put(id, name.get());
            return new Said(id, name.get());
        }

        /** What is asked about one job; its name is put back into the answer as the contract knows it. */
        private Said ask(Sender sender, String operation, JobId job) {
            String name = names.getOrDefault(job, NEVER);
            Answer answer = post(
                    sender,
                    CreamRoom.element(
                            operation + "Request", "<jobId><id>" + name + "</id><creamURL>x</creamURL></jobId>"));
            boolean isRefused = answer.status() != 200 || answer.text().contains("Fault");
            return new Said(isRefused ? null : job, answer.text().replace(name, job.toString()));
        }

        @Override
        public Said show(Sender sender, JobId job) {
            return ask(sender, "JobStatus", job);
        }

        /** CREAM forgets no job that is not over. */
        @Override
        public Said destroy(Sender sender, JobId job) {
            Said cancelled = ask(sender, "JobCancel", job);
            if (cancelled.job() == null) {
                return cancelled;
            }
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> show(sender, job).text().contains("CANCELLED"));
            return ask(sender, "JobPurge", job);
        }

        @Override
        public String wordForLater(Later later) {
            return "JobSubmissionDisabledFault";
        }

        @Override
        public String word(JobState state) {
            return switch (state) {
                case UNSUBMITTED, STAGE_IN -> "REGISTERED";
                case PENDING -> "IDLE";
                case ACTIVE, STAGE_OUT, CLEAN_UP -> "REALLY-RUNNING";
                case SUSPENDED -> "HELD";
                case DONE -> "DONE-OK";
                case FAILED -> "DONE-FAILED";
                case CANCELLED -> "CANCELLED";
            };
        }

        @Override
        public Followed follow(Sender sender, JobId job) {
            List<String> words = new CopyOnWriteArrayList<>();
            Thread thread = Thread.ofVirtual().start(() -> {
                long next = 0;
                while (!Thread.currentThread().isInterrupted()) {
                    Answer answer = post(
                            sender,
                            CreamRoom.element(
                                    "QueryEventRequest",
                                    "<fromEventId>" + next + "</fromEventId><eventType>JOB_STATUS</eventType>"));
                    for (XmlElement event : answer.body().children()) {
                        if (event.localName().equals("event")
                                && CreamRoom.text(event).contains(requireNonNull(names.get(job)))) {
                            words.add(CreamState.of(CreamRoom.property(event, "type"))
                                    .orElseThrow()
                                    .word());
                        }
                        if (event.localName().equals("event")) {
                            next = Long.parseLong(
                                            event.child("id").orElseThrow().text())
                                    + 1;
                        }
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
