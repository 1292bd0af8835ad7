// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.jobgate.door.DoorClient;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorContract;
import org.jobgate.door.DoorRoom;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Gt4Mount;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Later;
import org.jobgate.language.JobLanguages;
import org.jobgate.soap.Answer;
import org.jobgate.soap.MessageGuards;
import org.jobgate.soap.SoapMount;
import org.jobgate.xml.XmlElement;

/** GRAM4 passes the contract of doors, in one of its generations. Jobs are followed by notifications. */
abstract class GramContract extends DoorContract {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Nobody listens there: what would be sent to it ends in the room. */
    private static final String CONSUMER = "http://127.0.0.1:1/consumer";

    private final Generation generation;

    GramContract(Generation generation) {
        this.generation = generation;
    }

    @Override
    protected FrontDoor door(DoorContext context) {
        return new GramDoor(
                GramSettings.defaults("/opt/jobgate"), context, account -> name -> Optional.empty(), JobLanguages.NONE);
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
        return new Client(room, generation);
    }

    private record Client(DoorRoom room, Generation generation) implements DoorClient {

        private static final String FACTORY = "ManagedJobFactoryService";
        private static final String JOB = "ManagedExecutableJobService";

        private Answer post(Sender sender, String service, String envelope) {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(Gt4Mount.baseUrl(room.url()) + "/" + service))
                    .headers("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"\"")
                    .POST(BodyPublishers.ofString(envelope));
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

        /** A request to one resource. */
        private Answer post(Sender sender, String service, String resource, String body) {
            String envelope = generation == Generation.GT40
                    ? Envelopes.of(Envelopes.resource(resource), body)
                    : Envelopes42.of(Envelopes42.resource(resource), body);
            return post(sender, service, envelope);
        }

        private static String executable(Wanted wanted) {
            return "<d:executable>" + wanted.executable() + "</d:executable>";
        }

        @Override
        public Said submit(Sender sender, Wanted wanted) {
            Answer answer = post(
                    sender,
                    FACTORY,
                    "Fork",
                    "<createManagedJob xmlns=\"" + generation.gram() + "\" xmlns:d=\"" + generation.gram()
                            + "/description\"><JobID>" + wanted.clientId() + "</JobID><d:job>" + executable(wanted)
                            + "</d:job></createManagedJob>");
            return new Said(
                    answer.status() == 200
                            ? JobId.parse(answer.all("ResourceID").getFirst())
                            : null,
                    answer.text());
        }

        @Override
        public Optional<List<Said>> submitAll(Sender sender, List<Wanted> wanted) {
            String jobs = wanted.stream()
                    .map(job -> BulkEnvelopes.job(job.clientId(), executable(job)))
                    .collect(Collectors.joining());
            Answer answer = post(sender, FACTORY, BulkEnvelopes.of(generation, "createManagedJobs", jobs));
            return Optional.of(answer.body().children().stream()
                    .filter(child -> child.localName().equals("result"))
                    .map(Client::said)
                    .toList());
        }

        private static Said said(XmlElement result) {
            return new Said(
                    result.child("fault").isPresent()
                            ? null
                            : JobId.parse(
                                    result.child("ResourceID").orElseThrow().text()),
                    result.child("explain").map(XmlElement::text).orElse(""));
        }

        @Override
        public Said show(Sender sender, JobId job) {
            Answer answer = post(
                    sender,
                    JOB,
                    job.toString(),
                    "<p:GetResourceProperty xmlns:p=\"" + generation.wsrp() + "\" xmlns:types=\"" + generation.gram()
                            + "/types\">types:state</p:GetResourceProperty>");
            return new Said(answer.status() == 200 ? job : null, answer.text());
        }

        @Override
        public Said destroy(Sender sender, JobId job) {
            Answer answer = post(sender, JOB, job.toString(), "<Destroy xmlns=\"" + generation.wsrl() + "\"/>");
            return new Said(answer.status() == 200 ? job : null, answer.text());
        }

        @Override
        public String wordForLater(Later later) {
            return "gt2ErrorCode>3</";
        }

        @Override
        public String word(JobState state) {
            return StateNames.of(state);
        }

        @Override
        public Followed follow(Sender sender, JobId job) {
            Answer answer = post(
                    sender,
                    JOB,
                    job.toString(),
                    generation == Generation.GT40
                            ? NotificationsTest.subscribe(CONSUMER)
                            : Envelopes42.subscribe(CONSUMER));
            if (answer.status() != 200) {
                throw new IllegalStateException(answer.text());
            }
            return new Followed() {
                @Override
                public List<String> words() {
                    return room.messages().stream()
                            .map(message -> new Answer(200, message).one("state"))
                            .toList();
                }

                @Override
                public void close() {
                    // the subscription ends with the job
                }
            };
        }
    }
}
