// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jobgate.gram.notification.Subscription;
import org.jobgate.job.Ending;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.lifecycle.Submission;
import org.jobgate.store.DoorRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Node;
import org.xmlunit.builder.DiffBuilder;
import org.xmlunit.diff.Comparison;
import org.xmlunit.diff.ComparisonResult;
import org.xmlunit.diff.ComparisonType;
import org.xmlunit.diff.Diff;
import org.xmlunit.diff.DifferenceEvaluators;

/**
 * Replays what real GT 4.0 clients sent and compares our reply with the one they were content with: the same elements, attributes and
 * texts in the same order, but for times, ids, addresses and the words of fault strings.
 */
class CapturedClientsTest {

    private static final String JOB = "11111111-2222-3333-4444-555555555555";
    private static final Set<String> FREE_TEXTS = Set.of(
            "CurrentTime",
            "Timestamp",
            "ResourceID",
            "SubscriptionKey",
            "Address",
            "faultcode",
            "faultstring",
            "Description");

    static Stream<Arguments> conversations() {
        Consumer<Door> nothing = door -> {};
        return Stream.of(
                Arguments.of("01", nothing),
                Arguments.of("04", nothing),
                Arguments.of("05", nothing),
                Arguments.of("08", nothing),
                Arguments.of("09", nothing),
                Arguments.of("12", done("05d69c60-e4f4-11f1-8482-f5e335e8a0f1")),
                Arguments.of("13", job(JOB)),
                Arguments.of("14", subscription("7d09b486-e4f2-11f1-aa5c-02fc00000001")),
                Arguments.of("15", job("78f44910-e4f2-11f1-8cd3-fd66e1c06a69")),
                Arguments.of("17", job(JOB)),
                Arguments.of("18", job(JOB)),
                Arguments.of("19", done(JOB)),
                Arguments.of("22", nothing),
                Arguments.of("23", (Consumer<Door>) CapturedClientsTest::refuse),
                Arguments.of("24", job(JOB)),
                Arguments.of("70", failed("a2292810-e4f6-11f1-81f8-9de95495c965")));
    }

    private static Consumer<Door> job(String id) {
        return door -> put(door, id);
    }

    private static Job put(Door door, String id) {
        return door.jobs.put(
                Submission.of(new Owner(Door.ALICE, "alice"), id, "Fork", JobDescription.of("/bin/date")), id);
    }

    private static Consumer<Door> done(String id) {
        return door -> door.jobs.change(
                put(door, id).id(), null, job -> job.withState(JobState.DONE).withEnding(Ending.done(0, null)));
    }

    private static Consumer<Door> failed(String id) {
        Fault fault = Fault.of(FaultCode.EXECUTION_FAILED, "The executable could not be started.", "")
                .with(new Evidence("submit", 1, ""))
                .during(JobState.ACTIVE);
        return door -> door.jobs.change(
                put(door, id).id(),
                null,
                job -> job.withState(JobState.FAILED).withEnding(new Ending(JobState.FAILED, 0, null, null, fault)));
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
                    .putRecord(new DoorRecord(Subscription.RECORD_KIND, key, job.id(), Door.ALICE, body, Door.NOW))
                    .join();
        };
    }

    @ParameterizedTest(name = "capture {0}")
    @MethodSource("conversations")
    void theReplyIsOneThatTheClientWasContentWith(String number, Consumer<Door> given) {
        Capture capture = Capture.read(number);
        try (Door door = new Door(Clock.fixed(Door.NOW, ZoneOffset.UTC))) {
            given.accept(door);

            Answer answer = door.post(capture.service(), capture.request());

            Diff diff = DiffBuilder.compare(body(capture.reply()))
                    .withTest(body(answer.text()))
                    .ignoreWhitespace()
                    .ignoreComments()
                    .withNodeFilter(CapturedClientsTest::isCompared)
                    .withDifferenceEvaluator(DifferenceEvaluators.chain(
                            DifferenceEvaluators.Default, CapturedClientsTest::forgiveFreeTexts))
                    .checkForSimilar()
                    .build();
            assertThat(diff.hasDifferences()).as(diff + " in " + answer.text()).isFalse();
        }
    }

    private static ComparisonResult forgiveFreeTexts(Comparison comparison, ComparisonResult outcome) {
        Node node = comparison.getControlDetails().getTarget();
        Node element = node != null && node.getNodeType() == Node.TEXT_NODE ? node.getParentNode() : node;
        boolean isText = List.of(
                        ComparisonType.TEXT_VALUE, ComparisonType.CHILD_NODELIST_LENGTH, ComparisonType.CHILD_LOOKUP)
                .contains(comparison.getType());
        boolean isFree = element != null && FREE_TEXTS.contains(String.valueOf(element.getLocalName()));
        return isText && isFree ? ComparisonResult.EQUAL : outcome;
    }

    /** The words of a faultstring are free; the attribute that the schema demands was left out by the captured peer. */
    private static boolean isCompared(Node node) {
        String parent = node.getParentNode() == null
                ? ""
                : String.valueOf(node.getParentNode().getLocalName());
        boolean isDemanded = parent.equals("executionFailedFault") && "attribute".equals(node.getLocalName());
        return !isDemanded && !parent.equals("faultstring");
    }

    /** What is in the SOAP body, for the headers are free. */
    private static String body(String envelope) {
        return envelope.replaceFirst("(?s)<soap:Header>.*</soap:Header>", "")
                .replaceFirst("(?s)^<\\?xml.*?\\?>", "")
                .strip();
    }
}
