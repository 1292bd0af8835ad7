// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jobgate.gram.notification.Notifications;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.limits.Limit;
import org.jobgate.notify.DeliverySettings;
import org.jobgate.soap.Answer;
import org.jobgate.soap.Capture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NotificationsTest {

    private static final DeliverySettings QUICK = new DeliverySettings(
            new Limit("callbacks.maxDeliveries", 4),
            new Limit("callbacks.maxWaitingMessages", 64),
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofMinutes(10));

    private final TestConsumer consumer = new TestConsumer();
    private Door door = new Door(Clock.systemUTC(), QUICK);

    @AfterEach
    void close() {
        consumer.close();
        door.close();
    }

    private JobId submit(String address) {
        Answer created = door.post(
                "ManagedJobFactoryService",
                Envelopes.create(subscribe(address) + "<d:job><d:executable>/bin/date</d:executable></d:job>"));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return JobId.parse(created.all("ResourceID").getFirst());
    }

    static String subscribe(String address) {
        return "<n:Subscribe xmlns:n=\"http://docs.oasis-open.org/wsn/2004/06/wsn-WS-BaseNotification-1.2-draft-01.xsd\">"
                + "<n:ConsumerReference><wsa:Address>" + address + "</wsa:Address><wsa:ReferenceProperties>"
                + "<c:NotificationConsumerKey xmlns:c=\"http://www.globus.org/namespaces/2004/06/core\">567656864"
                + "</c:NotificationConsumerKey></wsa:ReferenceProperties></n:ConsumerReference>"
                + "<n:TopicExpression xmlns:t=\"http://www.globus.org/namespaces/2004/10/gram/job/types\""
                + " Dialect=\"http://docs.oasis-open.org/wsn/2004/06/TopicExpression/Simple\">t:state"
                + "</n:TopicExpression></n:Subscribe>";
    }

    private void awaitStates(String... states) {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(consumer.states()).containsExactly(states));
    }

    @Test
    void aConsumerIsToldEachStateInOrderAndNotTheFirst() {
        door.start();
        JobId id = submit(consumer.address());

        for (JobState state : List.of(JobState.PENDING, JobState.ACTIVE, JobState.CLEAN_UP, JobState.DONE)) {
            door.jobs.state(id, state);
        }

        awaitStates("Pending", "Active", "CleanUp", "Done");
        assertThat(consumer.messages()).allSatisfy(message -> {
            assertThat(message.one("NotificationConsumerKey")).isEqualTo("567656864");
            assertThat(message.one("ResourceID")).isEqualTo(id.toString());
        });
    }

    @Test
    void theMessageIsTheOneThatRealConsumersUnderstand() {
        door.start();
        Capture pending = Capture.read("10");
        JobId id = submit(consumer.address());

        door.jobs.state(id, JobState.PENDING);

        awaitStates("Pending");
        SoapComparison.assertSameBody(
                pending.request(), consumer.messages().getFirst().text());
    }

    @Test
    void theMessageOfAMultiJobNamesItsService() {
        door.start();
        Answer created = door.post(
                "ManagedJobFactoryService",
                Envelopes.create(
                        "Multi",
                        subscribe(consumer.address())
                                + "<d:multiJob><d:job><d:executable>/bin/date</d:executable></d:job></d:multiJob>"));
        JobId id = JobId.parse(created.all("ResourceID").getFirst());

        door.jobs.state(id, JobState.PENDING);

        awaitStates("Pending");
        assertThat(consumer.messages().getFirst().all("Address")).contains(door.baseUrl() + "/ManagedMultiJobService");
    }

    @Test
    void theMessageOfAFailedJobHasItsFault() {
        door.start();
        Capture failed = Capture.read("11");
        Fault fault = Fault.of(FaultCode.EXECUTION_FAILED, "The executable could not be started.", "")
                .with(new Evidence("submit", 1, ""))
                .during(JobState.ACTIVE);
        JobId id = submit(consumer.address());

        door.jobs.change(
                id, JobEvent.FAILED, job -> job.withState(JobState.FAILED).withOutcome(JobOutcome.failed(fault)));

        awaitStates("Failed");
        SoapComparison.assertSameBody(
                failed.request(), consumer.messages().getFirst().text());
    }

    @Test
    void aConsumerOfTheNewerGenerationIsToldInItsForm() {
        door.start();
        Answer created = door.post(
                "ManagedJobFactoryService",
                Envelopes42.create(Envelopes42.subscribe(consumer.address()) + Envelopes42.job()));
        JobId id = JobId.parse(created.all("ResourceID").getFirst());

        door.jobs.state(id, JobState.PENDING);
        awaitStates("Pending");
        Fault fault = Fault.of(FaultCode.EXECUTION_FAILED, "The executable could not be started.", "")
                .with(new Evidence("submit", 1, ""))
                .during(JobState.ACTIVE);
        door.jobs.change(
                id, JobEvent.FAILED, job -> job.withState(JobState.FAILED).withOutcome(JobOutcome.failed(fault)));
        awaitStates("Pending", "Failed");

        List<Answer> messages = consumer.messages();
        assertThat(messages.getFirst().one("Action"))
                .isEqualTo("http://docs.oasis-open.org/wsn/bw-2/NotificationConsumer/Notify");
        assertThat(messages.getFirst().one("NotificationConsumerKey")).isEqualTo("567656864");
        SoapComparison.assertSameBody(
                Capture.read("51").request(), messages.getFirst().text());
        SoapComparison.assertSameBody(
                Capture.read("58").request(), messages.getLast().text());
    }

    @Test
    void aConsumerOfTheNewerGenerationIsToldThatTheOwnerEndedTheJob() {
        door.start();
        Answer created = door.post(
                "ManagedJobFactoryService",
                Envelopes42.create(Envelopes42.subscribe(consumer.address()) + Envelopes42.job()));
        JobId id = JobId.parse(created.all("ResourceID").getFirst());
        JobOutcome outcome = JobOutcome.cancelled(Fault.of(FaultCode.CANCELLED_BY_USER, "It was cancelled.", ""));

        door.jobs.change(
                id, JobEvent.CANCELLED, job -> job.withState(JobState.CANCELLED).withOutcome(outcome));

        awaitStates("UserTerminateDone");
    }

    @Test
    void aHoldIsToldAndABookkeepingChangeIsNot() {
        door.start();
        JobId id = submit(consumer.address());

        door.jobs.change(id, null, job -> job.withTerminationTime(Door.NOW));
        door.jobs.change(id, null, job -> job.withHolding(true)); // it waits for other jobs
        door.jobs.change(id, null, job -> job.withHolding(false));
        door.jobs.change(
                id,
                JobEvent.PENDING_HELD,
                job -> job.withState(JobState.PENDING).withHolding(true));
        door.jobs.change(id, null, job -> job.withHolding(false));

        awaitStates("Pending", "Pending");
        assertThat(consumer.messages().stream().map(message -> message.one("holding")))
                .containsExactly("true", "false");
    }

    @Test
    void aConsumerThatRefusesForAWhileIsToldAgainInOrder() throws InterruptedException {
        door.start();
        consumer.answer(500);
        JobId id = submit(consumer.address());
        door.jobs.state(id, JobState.PENDING);
        door.jobs.state(id, JobState.ACTIVE);
        await().atMost(Duration.ofMinutes(1)).until(() -> door.deliveries().failed() >= 2);

        consumer.answer(200);

        awaitStates("Pending", "Active");
    }

    @Test
    void aDeadConsumerIsGivenUpAndItsSubscriptionForgotten() {
        door.close();
        door = new Door(
                Clock.systemUTC(),
                new DeliverySettings(
                        QUICK.deliveries(),
                        QUICK.waitingMessages(),
                        QUICK.firstRetry(),
                        QUICK.slowestRetry(),
                        Duration.ofMillis(500)));
        door.start();
        consumer.close();
        JobId id = submit(consumer.address());

        door.jobs.state(id, JobState.PENDING);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(door.store.recordsOf(Notifications.SUBSCRIPTION_KIND, id))
                        .isEmpty());
        assertThat(door.deliveries().givenUp()).isEqualTo(1);
    }

    @Test
    void aSlowConsumerDoesNotHoldUpAnother() {
        door.start();
        consumer.hold();
        try (TestConsumer quick = new TestConsumer()) {
            JobId slowJob = submit(consumer.address());
            JobId quickJob = submit(quick.address());
            door.jobs.state(slowJob, JobState.PENDING);
            door.jobs.state(quickJob, JobState.PENDING);

            await().atMost(Duration.ofMinutes(1)).until(() -> quick.states().size() == 1);
            assertThat(consumer.states()).isEmpty();
        }
    }

    @Test
    void theSubscriptionOfADestroyedJobEnds() {
        door.start();
        JobId id = submit(consumer.address());

        door.post("ManagedExecutableJobService", Envelopes.destroy(id.toString()));

        awaitStates("Failed");
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(door.store.recordsOf(Notifications.SUBSCRIPTION_KIND, id))
                        .isEmpty());
    }

    @Test
    void whatHappenedBeforeTheStartIsToldAsTheNewestState() {
        JobId id = submit(consumer.address());
        door.jobs.state(id, JobState.PENDING);
        door.jobs.state(id, JobState.ACTIVE);

        door.start();

        awaitStates("Active");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> door.store.cursor("gram.notifier") == door.store.lastChange());
    }

    @Test
    void theCursorDoesNotPassAMessageThatWasNotDelivered() {
        door.start();
        JobId first = submit(consumer.address());
        await().atMost(Duration.ofMinutes(1)).until(() -> door.store.cursor("gram.notifier") == 1);
        consumer.hold();

        door.jobs.state(first, JobState.PENDING);
        submit("http://127.0.0.1:1/");

        await().during(Duration.ofMillis(1_100))
                .atMost(Duration.ofMinutes(1))
                .until(() -> door.store.cursor("gram.notifier") == 1);
        consumer.letGo();
        await().atMost(Duration.ofMinutes(1)).until(() -> door.store.cursor("gram.notifier") == 3);
    }

    @Test
    void aJobHasNoMoreSubscriptionsThanItMay() {
        JobId id = submit(consumer.address());
        for (int i = 2; i <= 8; i++) {
            String request = Envelopes.of(Envelopes.resource(id.toString()), subscribe("http://127.0.0.1:" + i + "/"));
            assertThat(door.post("ManagedExecutableJobService", request).status())
                    .isEqualTo(200);
        }
        String ninth = Envelopes.of(Envelopes.resource(id.toString()), subscribe("http://127.0.0.1:9/"));

        assertThat(door.post("ManagedExecutableJobService", ninth)
                        .fault()
                        .child("Description")
                        .orElseThrow()
                        .text())
                .contains("callbacks.maxSubscriptionsPerJob = 8");
    }
}
