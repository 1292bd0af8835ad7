// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.rft.TestDoor.ALICE;
import static org.jobgate.rft.TestDoor.BOB;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jobgate.gt4.Generation;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Subscriptions to requests, in both generations. */
class RftSubscribingTest extends RftDoorRoom {

    private static String subscribe(Generation generation, String topic) {
        String expression = "<TopicExpression Dialect='" + generation.simpleTopics() + "' xmlns:r='"
                + generation.transfer("").getNamespaceURI() + "'>r:" + topic + "</TopicExpression>";
        return "<Subscribe xmlns='" + generation.wsnt() + "'><ConsumerReference><a:Address xmlns:a='" + generation.wsa()
                + "'>https://127.0.0.1/x</a:Address></ConsumerReference>"
                + (generation == Generation.GT40 ? expression : "<Filter>" + expression + "</Filter>") + "</Subscribe>";
    }

    @ParameterizedTest
    @EnumSource
    void consumersAreToldToTheEnd(Generation generation) throws Exception {
        put("x");
        put("y");
        String key = created(generation, copying(generation, copy("x", "1") + copy("y", "2")));
        XmlElement subscribed = answer(generation, SERVICE, key, subscribe(generation, "OverallStatusProperty"));
        answer(generation, SERVICE, key, subscribe(generation, "RequestStatusProperty"));
        refused(ALICE, generation, SERVICE, key, subscribe(generation, "RequestStatusProperty"), "BaseFault");
        start(generation, key);

        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(door.messages)
                        .anyMatch(message -> message.contains("transfersFinished>2<"))
                        .anyMatch(message -> message.contains("requestStatus>Done<")));
        assertThat(door.messages)
                .allMatch(message -> message.contains("ResourcePropertyValueChangeNotification")
                        && message.contains(key)
                        && message.contains("ResourcePropertyValueChangeNotificationElementType")
                                == (generation == Generation.GT40));

        String subscription = child(
                        subscribed,
                        "SubscriptionReference",
                        generation.referenceKeys().getLocalPart(),
                        "SubscriptionKey")
                .text();
        String header = "<c:SubscriptionKey xmlns:c='http://www.globus.org/namespaces/2004/06/core'>" + subscription
                + "</c:SubscriptionKey>";
        String destroy = envelope(generation, "", "<Destroy xmlns='" + generation.wsrl() + "'/>")
                .replace("<s:Header>", "<s:Header>" + header);
        assertThat(door.post(BOB, SUBSCRIPTIONS, destroy).status()).isEqualTo(500);
        assertThat(door.post(ALICE, SUBSCRIPTIONS, destroy).status()).isEqualTo(200);
        assertThat(door.post(ALICE, SUBSCRIPTIONS, destroy).status()).isEqualTo(500);
    }

    private String headed(Generation generation, XmlElement subscribed, String body) {
        String key = child(
                        subscribed,
                        "SubscriptionReference",
                        generation.referenceKeys().getLocalPart(),
                        "SubscriptionKey")
                .text();
        return envelope(generation, "", body)
                .replace(
                        "<s:Header>",
                        "<s:Header><c:SubscriptionKey xmlns:c='http://www.globus.org/namespaces/2004/06/core'>" + key
                                + "</c:SubscriptionKey>");
    }

    private void done(String message) {
        Answer answer = door.post(ALICE, SUBSCRIPTIONS, message);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void whoHasPausedIsToldHowItStandsOnResuming(Generation generation) throws Exception {
        put("x");
        String key = created(generation, copying(generation, copy("x", "1")));
        XmlElement subscribed = answer(generation, SERVICE, key, subscribe(generation, "RequestStatusProperty"));
        done(headed(generation, subscribed, "<PauseSubscription xmlns='" + generation.wsnt() + "'/>"));
        start(generation, key);
        isOver(generation, key, "Done");
        assertThat(door.messages).isEmpty();

        done(headed(generation, subscribed, "<ResumeSubscription xmlns='" + generation.wsnt() + "'/>"));
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() ->
                        assertThat(door.messages).singleElement().asString().contains("requestStatus>Done<"));
    }

    @ParameterizedTest
    @EnumSource
    void aSubscriptionThatHasEndedByItselfIsNotToldAndNotFound(Generation generation) throws Exception {
        put("x");
        String key = created(generation, copying(generation, copy("x", "1")));
        XmlElement subscribed = answer(generation, SERVICE, key, subscribe(generation, "RequestStatusProperty"));
        String setting = "<SetTerminationTime xmlns='" + generation.wsrl() + "'><RequestedTerminationTime>%s"
                + "</RequestedTerminationTime></SetTerminationTime>";
        String past = headed(generation, subscribed, String.format(setting, "2006-01-01T00:00:00Z"));
        assertThat(door.post(ALICE, SUBSCRIPTIONS, past).text()).contains("UnableToSetTerminationTimeFault");
        String soon = Instant.now().plusMillis(400).toString();
        String set = headed(generation, subscribed, String.format(setting, soon));
        done(set);
        await().atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() ->
                        assertThat(door.post(ALICE, SUBSCRIPTIONS, set).text()).contains("ResourceUnknownFault"));
        start(generation, key);
        isOver(generation, key, "Done");
        assertThat(door.messages).isEmpty();
    }
}
