// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kills a process that creates jobs with SIGKILL, again and again, and looks at what it had been promised. */
class StoreKillIT {

    private static final Logger LOG = LoggerFactory.getLogger(StoreKillIT.class);
    private static final int KILLS = 20;

    @TempDir
    Path directory;

    @Test
    @Timeout(600)
    void everyAcknowledgedJobIsThereOnceAfterEachKillOnSqlite() throws Exception {
        killAndLook(StoreSettings.of("sqlite:" + directory.resolve("jobgate.db")));
    }

    private void killAndLook(StoreSettings settings) throws Exception {
        long seed = Long.getLong("jobgate.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, String> acknowledged = new HashMap<>();
        int withWork = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Path file = directory.resolve("acknowledged-" + kill);
            runAndKill(settings, file, seed + kill, "kill" + kill + ".", random.nextInt(400));
            int before = acknowledged.size();
            readInto(acknowledged, file);
            withWork += acknowledged.size() > before ? 1 : 0;
            look(settings, acknowledged, kill);
        }
        assertThat(withWork)
                .as("kills that hit a process at work, seed " + seed)
                .isGreaterThan(KILLS / 2);
    }

    private void runAndKill(StoreSettings settings, Path file, long seed, String prefix, int workMillis)
            throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CreateAndAcknowledge.class.getName(),
                        settings.url(),
                        file.toString(),
                        Long.toString(seed),
                        prefix,
                        "1000000",
                        "64")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("child.log").toFile())
                .start();
        try {
            awaitFirstAcknowledgement(child, file);
            assertRefusedWhileHeldBy(settings, child);
            // a random moment of its work: between commits, within one, while the log is copied back
            TimeUnit.MILLISECONDS.sleep(workMillis);
        } finally {
            child.destroyForcibly();
            assertThat(child.waitFor()).as("SIGKILL").isEqualTo(128 + 9);
        }
    }

    private static void assertRefusedWhileHeldBy(StoreSettings settings, Process child) {
        assertThatThrownBy(() -> JobStores.open(settings, Clock.systemUTC()))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("is in use by process " + child.pid() + " since ");
    }

    private void awaitFirstAcknowledgement(Process child, Path file) throws IOException, InterruptedException {
        long giveUp = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        while (!Files.exists(file) || Files.size(file) == 0) {
            assertThat(child.isAlive())
                    .as(() -> "the child ended early: " + readLog())
                    .isTrue();
            assertThat(System.nanoTime()).as("the child acknowledged nothing").isLessThan(giveUp);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private String readLog() {
        try {
            return Files.readString(directory.resolve("child.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void readInto(Map<String, String> acknowledged, Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split(" ", -1);
            // the kill may have cut the last line short; a whole one has both words, and an id has 36 characters
            if (words.length == 3 && words[0].equals("ACK") && words[1].length() == 36) {
                acknowledged.put(words[2], words[1]);
            }
        }
    }

    private static void look(StoreSettings settings, Map<String, String> acknowledged, int kill) {
        try (JobStore store = JobStores.open(settings, Clock.systemUTC())) {
            Map<String, String> stored = readJobs(store);
            assertThat(stored).as("jobs after kill " + kill).containsAllEntriesOf(acknowledged);
            acknowledged.entrySet().stream()
                    .limit(200)
                    .forEach(
                            entry -> assertThat(store.find(new SubmissionKey(SampleJobs.ALICE, "test", entry.getKey())))
                                    .map(job -> job.id().toString())
                                    .contains(entry.getValue()));
            lookAtChanges(store, stored);
            LOG.info("After kill {}: {} jobs acknowledged, {} stored", kill, acknowledged.size(), stored.size());
        }
    }

    /** Job ids by client key. */
    private static Map<String, String> readJobs(JobStore store) {
        Map<String, String> stored = new HashMap<>();
        JobQuery page = JobQuery.all();
        List<Job> jobs = store.list(page);
        while (!jobs.isEmpty()) {
            for (Job job : jobs) {
                assertThat(stored.put(job.key().clientId(), job.id().toString()))
                        .as("two jobs of one key")
                        .isNull();
            }
            assertThat(store.description(jobs.getLast().id())).isPresent();
            jobs = store.list(page.next(jobs.getLast().id()));
        }
        return stored;
    }

    /** Whole or not at all: each job has exactly one creation in the change stream, and the stream knows no other jobs. */
    private static void lookAtChanges(JobStore store, Map<String, String> stored) {
        Set<String> created = new HashSet<>();
        long last = 0;
        List<Change> changes = store.changesAfter(0, 10_000);
        while (!changes.isEmpty()) {
            for (Change change : changes) {
                assertThat(created.add(change.job().toString()))
                        .as("created once")
                        .isTrue();
                last = change.sequence();
            }
            changes = store.changesAfter(last, 10_000);
        }
        assertThat(store.lastChange()).isEqualTo(last);
        assertThat(created).isEqualTo(new HashSet<>(stored.values()));
    }
}
