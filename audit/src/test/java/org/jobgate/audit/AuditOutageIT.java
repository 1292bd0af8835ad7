// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jobgate.job.Job;
import org.jobgate.job.JobState;
import org.jobgate.store.JobStore;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.SampleJobs;
import org.jobgate.store.sql.StoreSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records on a disk that is full: jobs go on, and their records follow. On a small file system of its own, which only root can mount. */
@Timeout(1800)
class AuditOutageIT {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int JOBS = 50;
    private static final int MOST_ROWS = 1_000;

    @TempDir
    Path directory;

    private final SampleJobs samples = new SampleJobs(4);

    @Test
    void whileTheDiskIsFullJobsGoOnAndTheRecordsFollow() throws Exception {
        assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "SKIPPED: only root can mount the small disk that this test fills");
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "jobgate-test", disk.toString()) == 0,
                "SKIPPED: no file system can be mounted here, e.g. in a container");
        try {
            onSmallDisk(disk);
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private void onSmallDisk(Path disk) throws Exception {
        AuditSettings settings = new AuditSettings(
                AuditStore.FILE,
                disk,
                "x",
                "1",
                description -> "y".repeat(2_000),
                job -> Optional.empty(),
                AuditKeeping.FOR_EVER);
        try (AuditDatabase database = AuditDatabase.open(AuditStore.FILE, disk);
                JobStore store =
                        JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("jobs.db")), Clock.systemUTC())) {
            try (Audit audit = new Audit(store, settings)) {
                audit.start(List.of());
                finished(store, "before");
                await().atMost(PATIENCE).until(() -> audit.lag() == 0);
                Path filler = disk.resolve("filler");
                fill(filler);
                int jobs = 0;
                // how many records fit into what the database's files have already depends on how many are written at
                // once
                for (Instant end = Instant.now().plus(PATIENCE);
                        jobs < JOBS
                                || (audit.trouble().isEmpty() && Instant.now().isBefore(end));
                        jobs++) {
                    assertThat(finished(store, "during " + jobs).state()).isEqualTo(JobState.DONE);
                    if (jobs >= JOBS) {
                        Thread.sleep(100); // the disk must have room for all of their records afterwards
                    }
                }
                assertThat(audit.trouble()).isPresent();
                assertThat(audit.lag()).isPositive();
                Files.delete(filler);
                await().atMost(PATIENCE)
                        .until(() -> audit.lag() == 0 && audit.trouble().isEmpty());
                assertThat(audit.jobs(SampleJobs.ALICE, Instant.EPOCH, null, MOST_ROWS))
                        .hasSize(Math.min(jobs + 1, MOST_ROWS))
                        .allSatisfy(row -> assertThat(row).containsKey("ended"));
            }
            assertThat(AuditVerifier.verify(database, disk.resolve("audit.head"))
                            .fault())
                    .isNull();
        }
    }

    private static void fill(Path filler) {
        byte[] some = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(some);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("space");
        }
    }

    private Job finished(JobStore store, String clientId) {
        Job job = samples.job(SampleJobs.ALICE, clientId, "Fork", "alice");
        store.create(SampleJobs.newJob(job)).join();
        store.update(job.id(), SampleJobs.finish(Instant.now())).join();
        return store.find(job.id()).orElseThrow();
    }

    private static int run(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor();
    }
}
