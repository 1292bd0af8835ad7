// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jobgate.container.AccessWalkRoom.Said;
import org.jobgate.container.JobsByDoor.OnJob;
import org.jobgate.container.JobsByDoor.Submission;
import org.jobgate.door.DoorAddresses;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation on one job at every door of a whole gateway: a job of another user, one that is destroyed and one that never was answer alike, and a
 * limited proxy of the owner's does everything but start it.
 */
class JobAccessWalkTest {

    @TempDir
    static Path folder;

    private static AccessWalkRoom room;
    private static List<OnJob> operations;

    /** A destroyed job for each operation, by the name of that. */
    private static final Map<String, String> destroyed = new HashMap<>();

    @BeforeAll
    static void open() throws Exception {
        room = new AccessWalkRoom(folder);
        operations = room.jobs.onJobs();
        // all at once: each takes the engine a moment
        for (OnJob operation : operations) {
            Submission submission = operation.submission();
            String id = submission.submit(room, room.alice);
            room.jobs.destroy(room.alice, submission.request().door(), id);
            destroyed.put(operation.name(), id);
        }
        for (OnJob operation : operations) {
            room.jobs.awaitGone(room.alice, operation.submission().request().door(), destroyed(operation));
        }
    }

    private static String destroyed(OnJob operation) {
        return requireNonNull(destroyed.get(operation.name()));
    }

    @AfterAll
    static void close() {
        room.close();
    }

    private static String door(OnJob operation) {
        return operation.on().apply(operation.submission().unknown()).door();
    }

    /** What administrators may do with the jobs of others is refused to others before a job is looked for. */
    private static boolean isForAdministrators(OnJob operation) {
        return operation.name().contains("/admin/");
    }

    @Test
    void thereAreOperationsOnJobsOfEveryDoorThatHasJobs() {
        assertThat(operations.stream().map(JobAccessWalkTest::door).distinct())
                .containsExactlyInAnyOrder(
                        DoorAddresses.REST,
                        DoorAddresses.ARC,
                        DoorAddresses.FILES,
                        DoorAddresses.GRAM,
                        DoorAddresses.BES,
                        DoorAddresses.CREAM);
        assertThat(operations).hasSizeGreaterThan(70);
    }

    @TestFactory
    Stream<DynamicTest> aJobOfAnotherADestroyedOneAndOneThatNeverWasAnswerAlike() {
        return operations.stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> {
                    Submission submission = one.submission();
                    String never = submission.unknown();
                    String expected =
                            room.ask(room.alice, one.on().apply(never)).without(never);

                    String foreign = submission.submit(room, room.bob);
                    assertThat(room.ask(room.alice, one.on().apply(foreign)).without(foreign))
                            .as("another's")
                            .isEqualTo(expected);

                    String destroyed = destroyed(one);
                    assertThat(room.ask(room.alice, one.on().apply(destroyed)).without(destroyed))
                            .as("destroyed")
                            .isEqualTo(expected);

                    if (!isForAdministrators(one)) {
                        String own = submission.submit(room, room.alice);
                        assertThat(room.ask(room.alice, one.on().apply(own)).without(own))
                                .as("her own")
                                .isNotEqualTo(expected);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> aLimitedProxyUsesTheJobsOfItsOwnerAndStartsNone() {
        return operations.stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> {
                    String own = one.submission().submit(room, room.alice);
                    Said said = room.ask(room.limited, one.on().apply(own));
                    if (isForAdministrators(one)) {
                        assertThat(said.body()).contains("a limited proxy is never an administrator");
                    } else if (one.name().endsWith("/restart")) {
                        assertThat(said.body()).contains("a limited proxy may not start jobs");
                    } else {
                        assertThat(said.body()).doesNotContain("limited");
                        assertThat(said.without(own))
                                .isNotEqualTo(room.ask(
                                                room.limited,
                                                one.on().apply(one.submission().unknown()))
                                        .without(one.submission().unknown()));
                    }
                }));
    }
}
