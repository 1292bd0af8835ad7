// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.cream.CreamRoom.ALICE;
import static org.jobgate.cream.CreamRoom.BOB;
import static org.jobgate.cream.CreamRoom.id;
import static org.jobgate.cream.CreamRoom.property;
import static org.jobgate.cream.CreamRoom.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jobgate.job.JobId;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** QueryEvent: the states that jobs came to, by numbers that hold over restarts. */
class CreamEventsTest {

    private static final String JDL = "[Executable=\"/bin/echo\";BatchSystem=\"fork\";QueueName=\"any\"]";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private CreamRoom room;

    @BeforeEach
    void open() throws Exception {
        room = new CreamRoom(directory, CreamRoom.settings());
    }

    @AfterEach
    void close() throws Exception {
        room.close();
    }

    private XmlElement query(String subject, String more) {
        return room.ask(subject, "QueryEventRequest", more);
    }

    private static List<XmlElement> events(XmlElement result) {
        return result.children().stream()
                .filter(child -> child.localName().equals("event"))
                .toList();
    }

    private List<String> types(String subject, String more) {
        return events(query(subject, more)).stream()
                .map(event -> property(event, "jobId") + " " + property(event, "type"))
                .toList();
    }

    private static String from(long first) {
        return "<fromEventId>" + first + "</fromEventId>";
    }

    private static final String ALL = "<eventType>JOB_STATUS</eventType>";

    private void awaitState(String id, String state) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(room.state(ALICE, id)).isEqualTo(state));
    }

    @Test
    void eachStateIsToldOnceAndAClientGoesOnOverARestart() throws Exception {
        String id = room.register(ALICE, JDL, "<autoStart>false</autoStart>");
        awaitState(id, "REGISTERED");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(types(ALICE, from(0) + ALL)).containsExactly(id + " 0"));
        long last = Long.parseLong(events(query(ALICE, from(0) + ALL))
                .getLast()
                .child("id")
                .orElseThrow()
                .text());
        String database = query(ALICE, ALL).child("dbId").orElseThrow().text();

        room.ask(ALICE, "JobStartRequest", id(id));
        awaitState(id, "IDLE");
        room.restart();
        JobId job = room.jobOf(id);
        room.lrm.start(job);
        room.lrm.end(job, 4);
        awaitState(id, "DONE-OK");

        XmlElement rest = query(ALICE, from(last + 1) + ALL);
        assertThat(types(ALICE, from(last + 1) + ALL)).containsExactly(id + " 1", id + " 2", id + " 4", id + " 7");
        assertThat(property(events(rest).getLast(), "exitCode")).isEqualTo("4");
        assertThat(rest.child("dbId").orElseThrow().text()).isEqualTo(database);
        assertThat(types(BOB, from(0) + ALL)).as("events of others").isEmpty();
    }

    @Test
    void aClientAsksForAPartOfThem() {
        String first = room.register(ALICE, JDL, "");
        awaitState(first, "IDLE");
        String second = room.register(ALICE, JDL, "");
        awaitState(second, "IDLE");
        List<XmlElement> all = events(query(ALICE, from(0) + ALL));
        long number = Long.parseLong(all.get(1).child("id").orElseThrow().text());

        assertThat(types(ALICE, from(number) + "<toEventId>" + number + "</toEventId>" + ALL))
                .hasSize(1);
        assertThat(types(ALICE, from(0) + ALL + "<maxQueryEventResultSize>1</maxQueryEventResultSize>"))
                .containsExactly(first + " 0");
        assertThat(
                        types(
                                ALICE,
                                from(0) + ALL
                                        + "<maxQueryEventResultSize>9</maxQueryEventResultSize><verbosityLevel>0</verbosityLevel><property><name>status</name><value>IDLE</value></property>"))
                .containsExactly(first + " 2", second + " 2");
        assertThat(
                        types(
                                ALICE,
                                from(0) + ALL
                                        + "<maxQueryEventResultSize>9</maxQueryEventResultSize><verbosityLevel>0</verbosityLevel><property><name>STATUS</name><value>2</value></property>"))
                .as("as glite-ce-event-query sends it")
                .containsExactly(first + " 2", second + " 2");
        assertThat(types(ALICE, from(0) + "<toDate>2020-01-01T00:00:00Z</toDate>" + ALL))
                .isEmpty();
    }

    @Test
    void numbersOfTheFutureHaveAnEmptyAnswerAndNonsenseIsRefused() {
        room.register(ALICE, JDL, "");

        assertThat(types(ALICE, from(Long.MAX_VALUE) + ALL)).isEmpty();
        assertThat(types(ALICE, from(1_000_000) + ALL)).isEmpty();
        assertThat(text(room.refused(ALICE, "QueryEventRequest", "<fromEventId>x</fromEventId>" + ALL)))
                .contains("fromEventId is no number");
        assertThat(text(room.refused(ALICE, "QueryEventRequest", "<eventType>OTHER</eventType>")))
                .contains("no events of the type OTHER");
        assertThat(text(room.refused(
                        ALICE, "QueryEventRequest", ALL + "<maxQueryEventResultSize>0</maxQueryEventResultSize>")))
                .contains("maxQueryEventResultSize");
    }
}
