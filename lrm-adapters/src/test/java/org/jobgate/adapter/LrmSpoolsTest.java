// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jobgate.adapter.LrmSpools.Wanted;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.StoreSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LrmSpoolsTest {

    private static final String BASE = "~/.jobgate/gateway";

    @TempDir
    Path directory;

    private JobStore store;

    @BeforeEach
    void open() {
        store = JobStores.open(StoreSettings.of("sqlite:jobs.db").resolvedAgainst(directory), Clock.systemUTC());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Wanted lrm(String name, String adapter) {
        return lrm(name, adapter, null);
    }

    private static Wanted lrm(String name, String adapter, @Nullable String spool) {
        return new Wanted(name, adapter, spool);
    }

    private Map<String, LrmSpool> assign(Wanted... lrms) {
        return new LrmSpools(BASE, store, Clock.systemUTC()).assign(List.of(lrms));
    }

    private void liveJob(String lrm) {
        Instant now = Clock.systemUTC().instant();
        Job job = Job.create(
                JobId.create(Clock.systemUTC(), new SecureRandom()),
                new SubmissionKey("/O=Test/CN=Alice", "test", "key of " + lrm),
                "trial",
                new Owner("/O=Test/CN=Alice", "alice"),
                lrm,
                null,
                now,
                null);
        store.create(new NewJob(job, JobDescription.of("/bin/true"), List.of())).join();
    }

    private static LrmSpool own(String name) {
        return LrmSpool.of(BASE + "/lrms/" + name);
    }

    @Test
    void theFirstOfEachKindHasTheGatewaysDirectoryAndTheOthersOneOfTheirOwn() {
        assertThat(assign(
                        lrm("Fork", "fork"),
                        lrm("Slurm", "slurm"),
                        lrm("SGE", "sge"),
                        lrm("Pool", "condor"),
                        lrm("Site", "legacy"),
                        lrm("Pool2", "condor"),
                        lrm("Fork2", "fork")))
                .isEqualTo(Map.of(
                        "Fork", LrmSpool.of(BASE),
                        "Slurm", LrmSpool.of(BASE),
                        "SGE", own("SGE"),
                        "Pool", LrmSpool.of(BASE),
                        "Site", own("Site"),
                        "Pool2", own("Pool2"),
                        "Fork2", own("Fork2")));
    }

    @Test
    void anotherOrderOrAnotherLrmMovesNobody() {
        assign(lrm("Slurm", "slurm"), lrm("SGE", "sge"));

        assertThat(assign(lrm("New", "pbs"), lrm("SGE", "sge"), lrm("Slurm", "slurm")))
                .isEqualTo(Map.of("Slurm", LrmSpool.of(BASE), "SGE", own("SGE"), "New", own("New")));
    }

    /** As at the first start after all LRMs of a gateway had one spool. */
    @Test
    void aPolledLrmWithLiveJobsTakesThemAlongForEver() {
        liveJob("SGE");

        for (int start = 0; start < 2; start++) {
            assertThat(assign(lrm("Slurm", "slurm"), lrm("SGE", "sge")))
                    .isEqualTo(Map.of("Slurm", LrmSpool.of(BASE), "SGE", new LrmSpool(BASE + "/lrms/SGE", BASE)));
        }
    }

    /** Only the starter that has them, and the log that HTCondor writes for them, know these jobs. */
    @Test
    void aForkWithLiveJobsMovesWhenItHasNoneAndDoesNotKnowTheOldLogThen() {
        liveJob("Fork2");
        DoorRecord checkpoint = new DoorRecord(
                Checkpoints.KIND,
                "Fork2/alice",
                null,
                null,
                "7:1",
                Clock.systemUTC().instant());
        DoorRecord other = new DoorRecord(
                Checkpoints.KIND,
                "Fork/alice",
                null,
                null,
                "7:1",
                Clock.systemUTC().instant());
        store.putRecord(checkpoint).join();
        store.putRecord(other).join();
        Wanted[] lrms = {lrm("Fork", "fork"), lrm("Fork2", "fork")};

        assertThat(assign(lrms)).containsEntry("Fork2", LrmSpool.of(BASE));
        assertThat(store.findRecord(Checkpoints.KIND, "Fork2/alice")).isPresent();

        store.close();
        directory = directory.resolve("without-jobs");
        assertThat(directory.toFile().mkdir()).isTrue();
        open();
        store.putRecord(checkpoint).join();
        store.putRecord(other).join();

        assertThat(assign(lrms)).containsEntry("Fork2", own("Fork2"));
        assertThat(store.findRecord(Checkpoints.KIND, "Fork2/alice")).isEmpty();
        assertThat(store.findRecord(Checkpoints.KIND, "Fork/alice")).isPresent();
        liveJob("Fork2");
        assertThat(assign(lrms)).containsEntry("Fork2", own("Fork2"));
    }

    @Test
    void whatTheSiteSaysHoldsUnlessItIsOneDirectoryForTwo() {
        assertThat(assign(lrm("Slurm", "slurm"), lrm("SGE", "sge", "/spool/sge")))
                .containsEntry("SGE", LrmSpool.of("/spool/sge"));
        for (String spool : Arrays.asList("/spool/one", BASE)) {
            Wanted first = lrm("Slurm", "slurm", spool.equals(BASE) ? null : spool);
            assertThatThrownBy(() -> assign(first, lrm("SGE", "sge", spool)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("Slurm", "SGE", spool, "give one of them another spool");
        }
    }
}
