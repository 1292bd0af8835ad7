// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jobgate.container.AccessWalkRoom.Said;
import org.jobgate.container.JobsByDoor.Submission;
import org.jobgate.container.OfferedOperations.Request;
import org.jobgate.door.DoorAddresses;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation of every door of a whole gateway, asked by those who may not: nobody, a banned user, and a limited proxy. What is asked about single
 * jobs is in {@link JobAccessWalkTest}.
 */
class AccessWalkTest {

    /** What anybody may ask, without a credential: what the service is, and how it is asked (docs/operate/authorization.md says why each). */
    private static final Set<String> PUBLIC = Set.of(
            "rest GET /info",
            "rest GET /openapi.json",
            "srm srmPing",
            "rft properties of the factory",
            "delegation properties of the factory");

    /** What also those are told who may do nothing here: what the service is, and who they are to it. */
    private static final Set<String> FOR_THE_BANNED =
            Set.of("rest GET /whoami", "cream getServiceInfo", "arc GET /info");

    /** Doors at which jobs are started, or what is there already is managed. */
    private static final Set<String> JOB_DOORS =
            Set.of(DoorAddresses.REST, DoorAddresses.ARC, DoorAddresses.GRAM, DoorAddresses.BES, DoorAddresses.CREAM);

    private static final Set<String> OTHER_DOORS = Set.of(
            DoorAddresses.DELEGATION,
            DoorAddresses.GRIDSITE,
            DoorAddresses.RFT,
            DoorAddresses.FILES,
            DoorAddresses.SRM);

    @TempDir
    static Path folder;

    private static AccessWalkRoom room;

    @BeforeAll
    static void open() throws Exception {
        room = new AccessWalkRoom(folder);
    }

    @AfterAll
    static void close() {
        room.close();
    }

    /** Its name without the address of its description; one for all ways to read the properties of a factory. */
    private static String operation(Request request) {
        return request.name()
                .replaceAll(
                        "(\\w+) (Get|GetMultiple|Query)ResourcePropert.* at .*Factory.*",
                        "$1 properties of the factory")
                .replaceAll(" at .*", "");
    }

    @Test
    void everyDoorIsWalked() {
        assertThat(room.offered.stream().map(Request::door).distinct())
                .containsExactlyInAnyOrderElementsOf(room.doors());
        assertThat(Stream.concat(JOB_DOORS.stream(), OTHER_DOORS.stream()))
                .as("a new door is one or the other")
                .containsExactlyInAnyOrderElementsOf(room.doors());
        assertThat(room.jobs.submissions().stream()
                        .map(submission -> submission.request().door())
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(JOB_DOORS);
        assertThat(room.offered).hasSizeGreaterThan(150);
        assertThat(room.offered.stream().map(AccessWalkTest::operation))
                .as("no exception for what is not there")
                .containsAll(PUBLIC)
                .containsAll(FOR_THE_BANNED);
    }

    private static Stream<DynamicTest> each(Predicate<Request> which, ThrowingJudge judge) {
        return room.offered.stream()
                .filter(which)
                .map(request -> DynamicTest.dynamicTest(request.name(), () -> judge.judge(request)));
    }

    @FunctionalInterface
    private interface ThrowingJudge {
        void judge(Request request) throws Exception;
    }

    @TestFactory
    Stream<DynamicTest> nobodyIsToldToShowACredential() {
        return each(request -> true, request -> {
            Said said = room.ask(room.nobody, request);
            if (PUBLIC.contains(operation(request))) {
                assertThat(said.status()).as(said.body()).isEqualTo(200);
            } else {
                assertThat(said.isRefusal()).as(said.body()).isTrue();
                assertThat(said.body()).contains("without a credential");
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aBannedUserIsToldSoEverywhere() {
        return each(request -> !PUBLIC.contains(operation(request)), request -> {
            Said said = room.ask(room.mallory, request);
            if (FOR_THE_BANNED.contains(operation(request))) {
                assertThat(said.status()).as(said.body()).isEqualTo(200);
            } else {
                assertThat(said.isRefusal()).as(said.body()).isTrue();
                assertThat(said.body()).contains(AccessWalkRoom.BANNED);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aLimitedProxyStartsNoJobByAnyDoorAndItsFullProxyDoes() {
        return room.jobs.submissions().stream()
                .map(Submission::request)
                .map(request -> DynamicTest.dynamicTest(request.name(), () -> {
                    Said refused = room.ask(room.limited, request);
                    assertThat(refused.isRefusal()).as(refused.body()).isTrue();
                    assertThat(refused.body()).contains("a limited proxy may not start jobs");
                    Said taken = room.ask(room.alice, request);
                    assertThat(taken.isRefusal()).as(taken.body()).isFalse();
                    Said banned = room.ask(room.mallory, request);
                    assertThat(banned.isRefusal()).as(banned.body()).isTrue();
                    assertThat(banned.body()).contains(AccessWalkRoom.BANNED);
                }));
    }
}
