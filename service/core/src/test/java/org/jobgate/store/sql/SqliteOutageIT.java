// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobId;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full, or may not be written: on a small file system of its own, which only root can mount. */
@Timeout(1800)
class SqliteOutageIT {

    @TempDir
    Path directory;

    private final SampleJobs samples = new SampleJobs(3);
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "SKIPPED: only root can mount the small disk that this test fills");
        Process process =
                command("mount", "-t", "tmpfs", "-o", "size=6m,mode=700", "jobgate-test", directory.toString());
        assumeTrue(process.waitFor() == 0, "SKIPPED: no file system can be mounted here, e.g. in a container");
        mounted = true;
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            assertThat(command("umount", directory.toString()).waitFor()).isZero();
        }
    }

    private static Process command(String... words) throws IOException {
        return new ProcessBuilder(words).inheritIO().start();
    }

    private StoreSettings settings() {
        return StoreSettings.of("sqlite:" + directory.resolve("jobgate.db")).withTimeout(Duration.ofMinutes(1));
    }

    private JobStore open() {
        return JobStores.open(settings(), Clock.systemUTC());
    }

    /** The new job's id, or what its refusal says. */
    private static Object create(JobStore store, SampleJobs samples, String key) throws Exception {
        try {
            return store.create(samples.newJob(SampleJobs.ALICE, key))
                    .get(5, TimeUnit.MINUTES)
                    .job()
                    .id();
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    private void fillDisk() throws IOException {
        try (var ballast = Files.newOutputStream(
                directory.resolve("ballast"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            byte[] block = new byte[4096];
            while (true) {
                ballast.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @Test
    void aFullDiskRefusesCreatesLosesNothingAndIsGotOverWithoutARestart() throws Exception {
        List<JobId> acknowledged = new ArrayList<>();
        Throwable refusal;
        try (JobStore store = open()) {
            for (int i = 0; i < 10; i++) {
                acknowledged.add((JobId) create(store, samples, "before" + i));
            }
            fillDisk();
            refusal = createUntilRefused(store, acknowledged);
            assertThatThrownBy(store::probe).isInstanceOf(FaultException.class).hasMessageContaining("disk is full");
            // reading goes on
            assertThat(store.findAll(acknowledged)).hasSameSizeAs(acknowledged);

            Files.delete(directory.resolve("ballast"));
            acknowledged.add((JobId) create(store, samples, "after"));
            store.probe();
        }
        assertThat(refusal).isInstanceOfSatisfying(FaultException.class, e -> {
            assertThat(e.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE);
            assertThat(e.fault().sentence()).contains("disk is full");
            assertThat(e.fault().remedy()).contains(directory.getFileName().toString());
        });
        try (JobStore store = open()) {
            assertThat(store.findAll(acknowledged)).hasSameSizeAs(acknowledged);
            assertThat(store.countLive(SampleJobs.ALICE)).isEqualTo(acknowledged.size());
        }
    }

    private Throwable createUntilRefused(JobStore store, List<JobId> acknowledged) throws Exception {
        for (int i = 0; i < 5_000; i++) {
            Object answer = create(store, samples, "filling" + i);
            if (answer instanceof Throwable refusal) {
                return refusal;
            }
            acknowledged.add((JobId) answer);
        }
        throw new AssertionError("the disk never was full");
    }

    @Test
    void aDiskThatMayOnlyBeReadIsRefusedAtTheStartAndTheJobsAreThereAfterwards() throws Exception {
        JobId id;
        try (JobStore store = open()) {
            id = (JobId) create(store, samples, "k");
        }
        assertThat(command("mount", "-o", "remount,ro", directory.toString()).waitFor())
                .isZero();
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE))
                .hasMessageContaining("Read-only file system");
        assertThat(command("mount", "-o", "remount,rw", directory.toString()).waitFor())
                .isZero();
        try (JobStore store = open()) {
            assertThat(store.find(id)).isPresent();
        }
    }

    @Test
    void aFullDiskAtTheFirstStartIsSaidAndGotOver() throws Exception {
        fillDisk();
        @Nullable Throwable refusal = null;
        try {
            open().close();
        } catch (FaultException e) {
            refusal = e;
        }
        assertThat(refusal)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault().code()).isEqualTo(FaultCode.STORE_UNAVAILABLE));
        Files.delete(directory.resolve("ballast"));
        try (JobStore store = open()) {
            assertThat(create(store, samples, "k")).isInstanceOf(JobId.class);
        }
    }
}
