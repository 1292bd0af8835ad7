// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.bes;

import jakarta.servlet.Servlet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
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

/** BES passes the contract of doors. Activities are followed by asking for their status. */
class BesContractTest extends DoorContract {

    @Override
    protected FrontDoor door(DoorContext context) {
        return new BesDoor(BesSettings.defaults(), context, new TestJsdl(), new Switch());
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
        return new Client(room.url() + BesDoor.ROOT + "/" + BesService.FACTORY);
    }

    /** The contract turns the engine's own switch; this door only reads it here. */
    static final class Switch implements Acceptance {
        private volatile boolean on = true;

        @Override
        public boolean isOn() {
            return on;
        }

        @Override
        public void stop() {
            on = false;
        }

        @Override
        public void start() {
            on = true;
        }
    }

    private record Client(String url) implements DoorClient {

        private Answer post(Sender sender, String body) {
            return BesWire.post(url, BesWire.envelope(body), sender.headers());
        }

        @Override
        public Said submit(Sender sender, Wanted wanted) {
            Answer answer = post(
                    sender,
                    BesWire.creation(
                            wanted.executable(), "", "<jg:SubmissionId>" + wanted.clientId() + "</jg:SubmissionId>"));
            return new Said(
                    answer.status() == 200 ? JobId.parse(answer.all("Activity").getFirst()) : null, answer.text());
        }

        @Override
        public Optional<List<Said>> submitAll(Sender sender, List<Wanted> wanted) {
            return Optional.empty();
        }

        private Said one(Sender sender, String operation, JobId job) {
            Answer answer = post(sender, BesWire.vector(operation, job.toString()));
            boolean isRefused = answer.status() != 200
                    || answer.body().children().getFirst().child("Fault").isPresent();
            return new Said(isRefused ? null : job, answer.text());
        }

        @Override
        public Said show(Sender sender, JobId job) {
            return one(sender, "GetActivityStatuses", job);
        }

        @Override
        public Said destroy(Sender sender, JobId job) {
            return one(sender, "DestroyActivities", job);
        }

        @Override
        public String wordForLater(Later later) {
            return "NotAcceptingNewActivitiesFault";
        }

        @Override
        public String word(JobState state) {
            ActivityState said = ActivityState.of(state, false, false);
            return word(
                    said.base().wireName(), said.sub() == null ? "" : said.sub().wireName());
        }

        private static String word(String base, String sub) {
            return base + ":" + sub;
        }

        private String look(Sender sender, JobId job) {
            XmlElement status = post(sender, BesWire.vector("GetActivityStatuses", job.toString()))
                    .body()
                    .children()
                    .getFirst()
                    .child("ActivityStatus")
                    .orElseThrow();
            String state = status.attribute("state").orElseThrow();
            boolean isFinal = List.of("Finished", "Failed", "Cancelled").contains(state);
            return word(state, isFinal ? "" : status.children().getFirst().localName());
        }

        @Override
        public Followed follow(Sender sender, JobId job) {
            List<String> words = new CopyOnWriteArrayList<>();
            words.add(look(sender, job));
            return new Followed() {
                /** Each look at the words is a look at the activity. */
                @Override
                public List<String> words() {
                    String now = look(sender, job);
                    if (!words.getLast().equals(now)) {
                        words.add(now);
                    }
                    return words;
                }

                @Override
                public void close() {
                    // nothing is kept for who asks
                }
            };
        }
    }
}
