// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.notify.DeliverySettings;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be done with a subscription, in both generations. */
class SubscriptionManagerTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final String SUBSCRIPTION = "SubscriptionManagerService";

    private final TestConsumer consumer = new TestConsumer();
    private final Door door = new Door(Clock.systemUTC(), DeliverySettings.defaults());

    private record Subscribed(JobId job, String key) {}

    @AfterEach
    void close() {
        door.close();
        consumer.close();
    }

    private Subscribed submit() {
        Answer created =
                door.post(FACTORY, Envelopes42.create(Envelopes42.subscribe(consumer.address()) + Envelopes42.job()));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return new Subscribed(JobId.parse(created.one("ResourceID")), created.one("SubscriptionKey"));
    }

    private static String request(Generation generation, String key, String body) {
        String header = "<c:SubscriptionKey xmlns:c=\"http://www.globus.org/namespaces/2004/06/core\">" + key
                + "</c:SubscriptionKey>";
        return generation == Generation.GT40 ? Envelopes.of(header, body) : Envelopes42.of(header, body);
    }

    private Answer post(Generation generation, String key, String body) {
        return door.post(SUBSCRIPTION, request(generation, key, body));
    }

    private static String empty(Generation generation, String operation) {
        return "<" + operation + " xmlns=\"" + generation.wsnt() + "\"/>";
    }

    private void awaitStates(String... states) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(consumer.states()).containsExactly(states));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aPausedSubscriptionIsToldNothingUntilItIsResumed(Generation generation) {
        door.start();
        Subscribed subscribed = submit();
        door.jobs.state(subscribed.job(), JobState.PENDING);
        awaitStates("Pending");

        Answer paused = post(generation, subscribed.key(), empty(generation, "PauseSubscription"));
        door.jobs.state(subscribed.job(), JobState.ACTIVE);
        Subscribed other = submit();
        door.jobs.state(other.job(), JobState.SUSPENDED);
        awaitStates("Pending", "Suspended"); // the stream was read past the change that was not to be told
        Answer resumed = post(generation, subscribed.key(), empty(generation, "ResumeSubscription"));
        door.jobs.state(subscribed.job(), JobState.CLEAN_UP);

        awaitStates("Pending", "Suspended", "CleanUp");
        assertThat(paused.body().name()).isEqualTo(generation.notification("PauseSubscriptionResponse"));
        assertThat(resumed.body().name()).isEqualTo(generation.notification("ResumeSubscriptionResponse"));
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void itsPropertiesSayWhoIsToldOfWhatAndUntilWhen(Generation generation) {
        String key = submit().key();
        assertThat(post(generation, key, property(generation, "wsnt:ConsumerReference"))
                        .all("Address"))
                .contains(consumer.address());
        String topic = generation == Generation.GT40 ? "wsnt:TopicExpression" : "wsnt:Filter";
        assertThat(post(generation, key, property(generation, topic)).one("TopicExpression"))
                .endsWith(":stateChangeInformation");
        assertThat(Instant.parse(post(generation, key, property(generation, "wsnt:CreationTime"))
                        .one("CreationTime")))
                .isCloseTo(Instant.now(), within(Duration.ofMinutes(1)));
        XmlElement until = post(generation, key, property(generation, "wsrl:TerminationTime"))
                .body()
                .children()
                .getFirst();
        assertThat(until.isNil()).isTrue();
    }

    private static String property(Generation generation, String name) {
        return "<p:GetResourceProperty xmlns:p=\"" + generation.wsrp() + "\" xmlns:wsnt=\"" + generation.wsnt()
                + "\" xmlns:wsrl=\"" + generation.wsrl() + "\">" + name + "</p:GetResourceProperty>";
    }

    @Test
    void itsLifetimeCanBeSetAndItIsGoneAfterIt() {
        Subscribed subscribed = submit();
        Instant soon = Instant.now().plusMillis(700);
        String set = "<SetTerminationTime xmlns=\"" + Generation.GT40.wsrl() + "\"><RequestedTerminationTime>" + soon
                + "</RequestedTerminationTime></SetTerminationTime>";

        assertThat(post(Generation.GT40, subscribed.key(), set).body().localName())
                .isEqualTo("SetTerminationTimeResponse");

        String read = property(Generation.GT40, "wsrl:TerminationTime");
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(post(Generation.GT40, subscribed.key(), read)
                                .fault()
                                .localName())
                        .isEqualTo("ResourceUnknownFault"));
        door.start();
        door.jobs.state(subscribed.job(), JobState.PENDING);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(door.store.recordsOf("gram.subscription", subscribed.job()))
                        .isEmpty());
        assertThat(consumer.states()).isEmpty();
    }

    @Test
    void aPastLifetimeIsRefused() {
        String key = submit().key();
        String set = "<SetTerminationTime xmlns=\"" + Generation.GT40.wsrl() + "\"><RequestedTerminationTime>"
                + "2001-01-01T00:00:00Z</RequestedTerminationTime></SetTerminationTime>";
        String renew = "<Renew xmlns=\"" + Generation.GT42.wsnt()
                + "\"><TerminationTime>2001-01-01T00:00:00Z</TerminationTime></Renew>";

        assertThat(post(Generation.GT40, key, set).fault().localName()).isEqualTo("UnableToSetTerminationTimeFault");
        assertThat(post(Generation.GT42, key, renew).fault().localName()).isEqualTo("UnacceptableTerminationTimeFault");
    }

    @Test
    void theNewerGenerationRenewsAndUnsubscribes() {
        Subscribed subscribed = submit();
        String renew =
                "<Renew xmlns=\"" + Generation.GT42.wsnt() + "\"><TerminationTime>PT1H</TerminationTime></Renew>";

        Answer renewed = post(Generation.GT42, subscribed.key(), renew);
        Answer gone = post(Generation.GT42, subscribed.key(), empty(Generation.GT42, "Unsubscribe"));

        assertThat(Instant.parse(renewed.one("TerminationTime")))
                .isAfter(Instant.now().plusSeconds(3000));
        assertThat(gone.body().name()).isEqualTo(Generation.GT42.notification("UnsubscribeResponse"));
        assertThat(door.store.recordsOf("gram.subscription", subscribed.job())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void anotherOwnersSubscriptionIsUnknownToEverything(Generation generation) {
        Subscribed subscribed = submit();
        String destroy = "<Destroy xmlns=\"" + generation.wsrl() + "\"/>";
        for (String body : new String[] {
            empty(generation, "PauseSubscription"),
            empty(generation, "ResumeSubscription"),
            property(generation, "wsnt:ConsumerReference"),
            destroy
        }) {
            Answer answer = door.post(
                    SUBSCRIPTION, request(generation, subscribed.key(), body), "Test-Subject", "/O=H9Test/CN=Bob");
            assertThat(answer.fault().localName()).isEqualTo("ResourceUnknownFault");
        }
        assertThat(door.store.recordsOf("gram.subscription", subscribed.job())).hasSize(1);
    }

    @Test
    void theEndOfASubscriptionLeavesNothingOfItWithTheNotifier() {
        door.start();
        Subscribed subscribed = submit();
        door.jobs.state(subscribed.job(), JobState.PENDING);
        awaitStates("Pending");
        assertThat(door.deliveries().known()).isOne();

        post(Generation.GT40, subscribed.key(), "<Destroy xmlns=\"" + Generation.GT40.wsrl() + "\"/>");

        assertThat(door.deliveries().known()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void theCurrentMessageIsTheOneThatWouldHaveBeenToldLast(Generation generation) {
        JobId id = submit().job();
        String topic = generation == Generation.GT40 ? "types\">t:state" : "\">t:stateChangeInformation";
        String body = "<GetCurrentMessage xmlns=\"" + generation.wsnt() + "\"><Topic Dialect=\""
                + generation.simpleTopics() + "\" xmlns:t=\"" + generation.gram()
                + (generation == Generation.GT40 ? "/" : "") + topic + "</Topic></GetCurrentMessage>";
        String request = generation == Generation.GT40
                ? Envelopes.of(Envelopes.resource(id.toString()), body)
                : Envelopes42.toJob(id, body);

        assertThat(door.post(JOB, request).fault().localName()).isEqualTo("NoCurrentMessageOnTopicFault");
        door.jobs.state(id, JobState.ACTIVE);
        Answer answer = door.post(JOB, request);

        assertThat(answer.body().children().getFirst().name())
                .isEqualTo(generation.job("stateChangeNotificationMessage"));
        assertThat(answer.one("state")).isEqualTo("Active");
        assertThat(door.post(JOB, request.replace("t:state", "t:other")).fault().localName())
                .isEqualTo("TopicNotSupportedFault");
    }
}
