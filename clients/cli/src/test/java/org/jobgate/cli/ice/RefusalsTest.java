// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of which a computing element refuses whole requests. */
class RefusalsTest {

    private static final int BULK = 8;
    private static final String ENDPOINT = "one.example.org:8443";
    private static final String PLACE = ENDPOINT + "/cream-pbs-long";
    private static final String OWNER = "alice";

    @TempDir
    Path folder;

    private final Clock clock = Clock.fixed(Instant.ofEpochMilli(1_000_000), ZoneOffset.UTC);
    private final Outages outages = new Outages(clock, BULK, 2);
    private QueueFile file;
    private JobQueue queue;
    private JobChanges changes;
    private Refusals refusals;

    @BeforeEach
    void open() throws Exception {
        file = QueueFile.open(folder.resolve("queue"));
        queue = new JobQueue(file);
        changes = new JobChanges(file);
        refusals = new Refusals(changes, outages, clock);
        for (int i = 0; i < BULK; i++) {
            JobRequest request = new JobRequest(
                    "j" + i, OWNER, "/proxy", null, List.of(PLACE), "[ Executable = \"/bin/true\"; ]", 0, 0);
            assertThat(queue.add(List.of(request), clock.millis())).isEmpty();
        }
    }

    @AfterEach
    void close() {
        file.close();
    }

    private List<QueuedJob> take() {
        return queue.take(BULK, clock.millis(), (owner, endpoint) -> 0);
    }

    private List<String> states() {
        List<String> ids = IntStream.range(0, BULK).mapToObj(i -> "j" + i).toList();
        List<String> lines = new ArrayList<>();
        assertThat(new Overview(file).jobs(ids, lines::add)).isEmpty();
        return lines;
    }

    /** All that wait are taken each time, however few are sent of them. */
    @Test
    void oneByOneTheyAreRefusedAndNoneIsLeftBehind() {
        int requests = 0;
        for (List<QueuedJob> jobs = take(); !jobs.isEmpty() && requests < 100; jobs = take()) {
            requests++;
            refusals.whole(jobs, Math.min(jobs.size(), outages.most(ENDPOINT, OWNER)), "no");
        }

        assertThat(requests).as("8, 4, 2, then each by itself").isEqualTo(3 + BULK);
        assertThat(states()).hasSize(BULK).allMatch(line -> line.contains("ABORTED"));
    }

    @Test
    void aRefusedQuestionAboutJobsThatAreThereIsNotAskedAgainAtOnce() {
        QueuedJob job = take().getFirst();
        changes.registered(List.of(new JobChanges.Registered(job, "CREAM1", null, false, 0)), clock.millis());
        QueuedJob there = new QueuedJob(
                job.id(), OWNER, "/proxy", PLACE, ENDPOINT, job.key(), true, "CREAM1", null, job.jdl(), 1);

        refusals.whole(List.of(there, there), 0, "no");

        assertThat(take()).isEmpty();
        assertThat(outages.most(ENDPOINT, OWNER)).isEqualTo(BULK);
        assertThat(queue.take(BULK, clock.millis() + 10_000, (owner, endpoint) -> 0))
                .extracting(QueuedJob::remote)
                .containsExactly("CREAM1");
    }

    /** No answer makes any sense, for one of the jobs. */
    @Test
    void aJobThatNoAnswerComesForKeepsTheOthersOfItsOwnerNotBackForEver() {
        for (int i = 0; i < 3; i++) {
            List<QueuedJob> jobs = queue.take(BULK, clock.millis() + 100_000, (owner, endpoint) -> 0);
            refusals.unclear(jobs, Math.min(jobs.size(), outages.most(ENDPOINT, OWNER)), "Server", false);
        }
        assertThat(outages.most(ENDPOINT, OWNER)).isEqualTo(1);
        List<QueuedJob> jobs = queue.take(BULK, clock.millis() + 100_000, (owner, endpoint) -> 0);

        refusals.unclear(jobs, 1, "Server", false);

        assertThat(queue.take(BULK, clock.millis() + 5_000, (owner, endpoint) -> 0))
                .as("without the one that was sent by itself")
                .extracting(QueuedJob::id)
                .containsExactly("j1", "j2", "j3", "j4", "j5", "j6", "j7");
        assertThat(outages.opens(ENDPOINT)).as("for others").isZero();
    }
}
