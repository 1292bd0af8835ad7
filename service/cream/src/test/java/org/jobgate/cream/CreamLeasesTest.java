// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.jobgate.cream.CreamRoom.ALICE;
import static org.jobgate.cream.CreamRoom.BOB;
import static org.jobgate.cream.CreamRoom.id;
import static org.jobgate.cream.CreamRoom.text;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases: named times of an owner, under which jobs are. */
class CreamLeasesTest {

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

    private Instant lease(String name, Instant until) {
        XmlElement answer = room.ask(
                ALICE, "setLeaseRequest", "<leaseId>" + name + "</leaseId><leaseTime>" + until + "</leaseTime>");
        return Instant.parse(answer.child("leaseTime").orElseThrow().text());
    }

    private static Instant in(long millis) {
        return Instant.now().plusMillis(millis);
    }

    /** Gives the lease a second, or more where the machine is so slow that it would be over before it is set; answers when it ends. */
    private Instant endsSoon(String name) {
        for (long millis = 1_000; true; millis *= 2) {
            Instant end = in(millis);
            Answer answer = room.post(
                    ALICE,
                    CreamRoom.envelope(CreamRoom.element(
                            "setLeaseRequest", "<leaseId>" + name + "</leaseId><leaseTime>" + end + "</leaseTime>")));
            if (!answer.text().contains("is past")) {
                assertThat(answer.status()).as(answer.text()).isEqualTo(200);
                return end;
            }
        }
    }

    private void awaitState(String id, String state) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(room.state(ALICE, id)).isEqualTo(state));
    }

    @Test
    void atTheEndOfALeaseItsJobsAreCancelledAtOnceAndToldWhy() {
        lease("L", in(3_600_000));
        String started = room.register(ALICE, JDL, "<leaseId>L</leaseId>");
        String registered = room.register(ALICE, JDL, "<leaseId>L</leaseId><autoStart>false</autoStart>");
        String other = room.register(ALICE, JDL, "");
        awaitState(started, "IDLE");
        Instant end = endsSoon("L");

        awaitState(started, "CANCELLED");
        assertThat(Instant.now()).isBetween(end, end.plus(PATIENCE));
        XmlElement status =
                room.ask(ALICE, "JobStatusRequest", id(started)).children().getFirst();
        assertThat(text(status)).contains("Job cancelled by Lease Manager!");
        assertThat(room.state(ALICE, registered)).isEqualTo("REGISTERED");
        assertThat(room.state(ALICE, other)).isEqualTo("IDLE");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                room.ask(ALICE, "getLeaseListRequest", "").children())
                        .isEmpty());
    }

    @Test
    void aLeaseThatEndedWhileTheServiceWasDownEndsItsJobsAtTheStart() throws Exception {
        lease("L", in(3_600_000));
        String id = room.register(ALICE, JDL, "<leaseId>L</leaseId>");
        awaitState(id, "IDLE");
        room.restartAfter(Duration.ofHours(2));

        awaitState(id, "CANCELLED");
    }

    @Test
    void aLeaseIsClampedExtendedAndHoldsOverARestart() throws Exception {
        assertThat(lease("L", in(100L * 3_600_000))).isBetween(in(35_000_000), in(36_000_000));
        lease("L", in(60_000));
        room.restart();

        XmlElement kept = room.ask(ALICE, "getLeaseRequest", "L");
        assertThat(Instant.parse(kept.child("leaseTime").orElseThrow().text())).isBefore(in(61_000));
        assertThat(room.refused(BOB, "getLeaseRequest", "L").localName()).isEqualTo("InvalidArgumentFault");
        assertThat(room.ask(BOB, "getLeaseListRequest", "").children()).isEmpty();
    }

    @Test
    void whatIsNoLeaseIsRefused() {
        assertThat(text(room.refused(
                        ALICE, "setLeaseRequest", "<leaseId>L</leaseId><leaseTime>2020-01-01T00:00:00Z</leaseTime>")))
                .contains("is past");
        assertThat(text(room.refused(ALICE, "setLeaseRequest", "<leaseId>L</leaseId><leaseTime>soon</leaseTime>")))
                .contains("leaseTime");
        assertThat(text(room.refused(
                        ALICE, "setLeaseRequest", "<leaseId>a b</leaseId><leaseTime>" + in(9_000) + "</leaseTime>")))
                .contains("cannot be used");
        for (int i = 0; i < 3; i++) {
            lease("L" + i, in(60_000));
        }
        assertThat(text(room.refused(
                        ALICE, "setLeaseRequest", "<leaseId>L3</leaseId><leaseTime>" + in(9_000) + "</leaseTime>")))
                .contains("cream.maxLeasesPerOwner");
        assertThat(room.refused(ALICE, "deleteLeaseRequest", "none").localName())
                .isEqualTo("InvalidArgumentFault");
    }

    @Test
    void aJobThatIsStartedAfterItsLeaseHasEndedIsCancelled() throws Exception {
        lease("L", in(3_600_000));
        String id = room.register(ALICE, JDL, "<leaseId>L</leaseId><autoStart>false</autoStart>");
        room.later(Duration.ofHours(2));
        assertThat(room.ask(ALICE, "getLeaseListRequest", "").children()).isEmpty();
        room.ask(ALICE, "JobStartRequest", id(id));

        awaitState(id, "CANCELLED");
    }

    @Test
    void jobsAreMovedFromLeaseToLeaseAndOutOfThem() {
        lease("A", in(60_000));
        lease("B", in(60_000));
        String id = room.register(ALICE, JDL, "<leaseId>A</leaseId>");
        awaitState(id, "IDLE");

        assertThat(moved(id, "<newLeaseId>B</newLeaseId>")).isEmpty();
        assertThat(leaseOf(id)).isEqualTo("B");
        assertThat(moved(id, "<newLeaseId>C</newLeaseId>")).containsExactly("LeaseIdMismatchFault");
        assertThat(room.ask(ALICE, "deleteLeaseRequest", "B").localName()).isEqualTo("Body");
        assertThat(leaseOf(id)).isEmpty();
        assertThat(moved(id, "<newLeaseId>A</newLeaseId>")).isEmpty();
        assertThat(moved(id, "")).isEmpty();
        assertThat(leaseOf(id)).isEmpty();
        assertThat(room.state(ALICE, id)).isEqualTo("IDLE");
    }

    /** However many jobs the owner has: what is deleted is no answer that could be too long. */
    @Test
    void aLeaseOfAnOwnerWithMoreJobsThanAnAnswerHoldsIsDeleted() throws Exception {
        room.close();
        room = new CreamRoom(directory, CreamRoom.listing(2));
        lease("B", in(600_000));
        List<String> ids = java.util.stream.IntStream.range(0, 4)
                .mapToObj(i -> room.register(ALICE, JDL, "<leaseId>B</leaseId>"))
                .toList();
        assertThat(text(room.refused(ALICE, "JobListRequest", ""))).contains("cream.maxListedJobs");

        assertThat(room.ask(ALICE, "deleteLeaseRequest", "B").localName()).isEqualTo("Body");

        assertThat(ids).allSatisfy(id -> assertThat(leaseOf(id)).isEmpty());
    }

    private List<String> moved(String id, String lease) {
        return room
                .ask(ALICE, "JobSetLeaseIdRequest", lease + "<jobFilter>" + id(id) + "</jobFilter>")
                .children()
                .getFirst()
                .children()
                .stream()
                .map(XmlElement::localName)
                .filter(name -> name.endsWith("Fault"))
                .toList();
    }

    private String leaseOf(String id) {
        return room.ask(ALICE, "JobInfoRequest", id(id))
                .children()
                .getFirst()
                .child("jobInfo")
                .orElseThrow()
                .child("lease")
                .map(lease -> lease.child("leaseId").orElseThrow().text())
                .orElse("");
    }
}
