// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jobgate.gram.notification.Notifications;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.soap.Capture;
import org.jobgate.store.DoorRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays what real GT 4.0 clients sent and compares our reply with the one they were content with: the same elements, attributes and
 * texts in the same order, but for times, ids, addresses and the words of fault strings.
 */
class CapturedClientsTest {

    private static final String JOB = "11111111-2222-3333-4444-555555555555";

    static Stream<Arguments> conversations() {
        Consumer<Door> nothing = door -> {};
        return Stream.of(
                Arguments.of("01", nothing),
                Arguments.of("04", nothing),
                Arguments.of("05", nothing),
                Arguments.of("06", nothing),
                Arguments.of("07", nothing),
                Arguments.of("08", nothing),
                Arguments.of("09", nothing),
                Arguments.of("12", done("05d69c60-e4f4-11f1-8482-f5e335e8a0f1")),
                Arguments.of("13", job(JOB)),
                Arguments.of("14", subscription("7d09b486-e4f2-11f1-aa5c-02fc00000001")),
                Arguments.of("15", job("78f44910-e4f2-11f1-8cd3-fd66e1c06a69")),
                Arguments.of("17", job(JOB)),
                Arguments.of("18", job(JOB)),
                Arguments.of("19", done(JOB)),
                Arguments.of("21", done(JOB)),
                Arguments.of("22", nothing),
                Arguments.of("23", (Consumer<Door>) CapturedClientsTest::refuse),
                Arguments.of("24", job(JOB)),
                Arguments.of("25", subscription("724ddcf6-e4f3-11f1-9529-02fc00000001")),
                Arguments.of("26", subscription("724ddcf6-e4f3-11f1-9529-02fc00000001")),
                Arguments.of("50", nothing),
                Arguments.of("52", done("f89d7d60-e4f4-11f1-9c94-9a10b3e93d39")),
                Arguments.of("54", done(JOB)),
                Arguments.of("55", held(JOB)),
                Arguments.of("56", nothing),
                Arguments.of("59", job(JOB)),
                Arguments.of("60", job(JOB)),
                Arguments.of("70", failed("a2292810-e4f6-11f1-81f8-9de95495c965")),
                Arguments.of("71", failed("a225f3c0-e4f6-11f1-a474-a49312b71176")));
    }

    private static Consumer<Door> job(String id) {
        return door -> put(door, id);
    }

    private static Job put(Door door, String id) {
        return door.jobs.put(
                Submission.of(Door.ORIGIN, new Owner(Door.ALICE, "alice"), id, "Fork", JobDescription.of("/bin/date")),
                id);
    }

    private static Consumer<Door> held(String id) {
        return door -> door.jobs.change(
                put(door, id).id(), null, job -> job.withState(JobState.PENDING).withHolding(true));
    }

    private static Consumer<Door> done(String id) {
        return door -> door.jobs.change(
                put(door, id).id(), null, job -> job.withState(JobState.DONE).withOutcome(JobOutcome.done(0, null)));
    }

    private static Consumer<Door> failed(String id) {
        Fault fault = Fault.of(FaultCode.EXECUTION_FAILED, "The executable could not be started.", "")
                .with(new Evidence("submit", 1, ""))
                .during(JobState.ACTIVE);
        return door -> door.jobs.change(
                put(door, id).id(),
                null,
                job -> job.withState(JobState.FAILED)
                        .withOutcome(new JobOutcome(JobState.FAILED, 0, null, null, fault)));
    }

    private static void refuse(Door door) {
        door.jobs.refuseWith(new FaultException(Fault.of(FaultCode.INVALID_DESCRIPTION, "Invalid count element.", "")
                .about("count", "0")));
    }

    private static Consumer<Door> subscription(String key) {
        return door -> {
            Job job = put(door, JOB);
            String body = "<s:subscription xmlns:s=\"x\"><s:topic xmlns:t=\"http://www.globus.org/namespaces/2004/10/"
                    + "gram/job/types\">t:state</s:topic><s:consumer><a:Address xmlns:a=\"y\">https://127.0.0.1:1/"
                    + "</a:Address></s:consumer></s:subscription>";
            door.store
                    .putRecord(
                            new DoorRecord(Notifications.SUBSCRIPTION_KIND, key, job.id(), Door.ALICE, body, Door.NOW))
                    .join();
        };
    }

    @ParameterizedTest(name = "capture {0}")
    @MethodSource("conversations")
    void theReplyIsOneThatTheClientWasContentWith(String number, Consumer<Door> given) {
        Capture capture = Capture.read(number);
        try (Door door = new Door(Clock.fixed(Door.NOW, ZoneOffset.UTC))) {
            given.accept(door);

            Answer answer = door.post(capture.service(), atThisDoor(capture.request(), door));

            SoapComparison.assertSameBody(asTheSchemaHasIt(number, capture.reply()), answer.text());
        }
    }

    /** Where the captured peer, a stub, answered something else than the schema of GT 4.2 allows: its clients took that too. */
    private static String asTheSchemaHasIt(String number, String reply) {
        return switch (number) {
            case "50" -> reply.replace("<job:NewTerminationTime xsi:nil=\"true\"/>", "");
            case "55" ->
                reply.replace(
                        "<job:releaseResponse/>",
                        "<r:releaseResponse xmlns:r=\"http://www.globus.org/namespaces/2008/03/gram/job/release\"/>");
            default -> reply;
        };
    }

    /** The jobs of a multi-job name the gateway's factory. */
    private static String atThisDoor(String request, Door door) {
        return request.replaceAll(
                "https://localhost:[0-9]+/wsrf/services/ManagedJobFactoryService",
                door.baseUrl() + "/ManagedJobFactoryService");
    }
}
