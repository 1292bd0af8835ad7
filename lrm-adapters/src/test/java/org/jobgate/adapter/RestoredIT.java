// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drill of docs/operate/recovering.md on Fork and on HTCondor: a backup is taken from the middle of a load, the store is lost, the backup
 * takes its place, and all clients repeat their submissions. Each job has run once, and each is told of as it ended.
 */
class RestoredIT {

    private static final int JOBS = 24;
    private static final int BEFORE = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path directory;

    @Test
    void onForkEachJobRunsOnce() throws Exception {
        drill(
                LrmRoom.ACCOUNT,
                LrmSettings.defaults("Fork", "fork", LrmRoom.PERL)
                        .withSpool(directory.resolve("spool").toString())
                        .withMaxRunning(4)
                        .withGrace(Duration.ofSeconds(1)));
    }

    @Test
    void onHtcondorEachJobRunsOnce() throws Exception {
        HtcondorLab.need();
        try {
            drill(HtcondorLab.ACCOUNT, HtcondorLab.settings().withSpool("~/.jobgate/restored-" + System.nanoTime()));
        } finally {
            HtcondorLab.tidy();
        }
    }

    private void drill(String account, LrmSettings settings) throws Exception {
        Path runs = Files.createTempDirectory(Path.of("/tmp"), "jobgate-restored-");
        Files.setPosixFilePermissions(runs, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path copy = directory.resolve("copy.db");
        List<JobId> ids = new ArrayList<>();
        try (EngineRoom room = new EngineRoom(directory, account, settings)) {
            for (int i = 0; i < BEFORE; i++) {
                ids.add(submit(room, runs, i));
            }
            await().atMost(PATIENCE).until(() -> ended(runs) >= 3);
            Instant takenAt = room.backUp(copy);
            for (int i = BEFORE; i < JOBS; i++) {
                ids.add(submit(room, runs, i));
            }
            // at the loss some jobs of after the backup are over and forgotten, some run, some wait
            await().atMost(PATIENCE).until(() -> ended(runs) >= BEFORE + 3);
            List<JobId> given = ids.stream()
                    .filter(id -> !room.find(id).localIds().isEmpty())
                    .toList();
            room.stop();

            room.startRestored(copy, takenAt);
            List<JobId> newer =
                    given.stream().filter(ids.subList(BEFORE, JOBS)::contains).toList();
            await().atMost(PATIENCE).until(() -> left(room).containsAll(newer) && isAsked(room));
            room.engine.resume();
            for (int i = 0; i < JOBS; i++) {
                JobId again = submit(room, runs, i);
                if (i < BEFORE || given.contains(ids.get(i))) {
                    assertThat(again).as("key-" + i).isEqualTo(ids.get(i));
                }
                ids.set(i, again);
            }
            for (int i = 0; i < JOBS; i++) {
                assertThat(room.awaitState(ids.get(i), JobState.DONE)
                                .settledOutcome()
                                .map(JobOutcome::exitCode))
                        .as("key-" + i)
                        .contains(i % 7);
            }
            assertThat(room.engine.restoration().report().orElseThrow().unknown())
                    .isEmpty();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(left(room)).isEmpty());
        }
        Map<String, Long> times =
                lines(runs).stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        try (Stream<Path> files = Files.list(runs)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(runs);
        assertThat(times)
                .hasSize(JOBS)
                .allSatisfy((job, count) -> assertThat(count).as(job).isEqualTo(1));
    }

    private static JobId submit(EngineRoom room, Path runs, int number) {
        return room.submit(
                "key-" + number,
                "echo " + number + " >> " + runs + "/runs; sleep 0.3; echo " + number + " >> " + runs + "/ends; exit "
                        + number % 7);
    }

    private static List<JobId> left(EngineRoom room) {
        return room.engine.restoration().report().orElseThrow().left().stream()
                .map(job -> job.event().tag())
                .toList();
    }

    private static boolean isAsked(EngineRoom room) {
        return room.engine.restoration().report().orElseThrow().unasked().isEmpty();
    }

    private static List<String> lines(Path runs) throws IOException {
        return Files.readAllLines(runs.resolve("runs"));
    }

    private static int ended(Path runs) throws IOException {
        Path ends = runs.resolve("ends");
        return Files.exists(ends) ? Files.readAllLines(ends).size() : 0;
    }
}
