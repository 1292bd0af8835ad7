// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jobgate.perf.wire.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashPlanTest {

    @TempDir
    Path directory;

    @Test
    void theSameSeedGivesTheSamePlan() {
        assertThat(CrashPlan.draw(42, 50, 10, directory, 2_000))
                .isEqualTo(CrashPlan.draw(42, 50, 10, directory, 2_000));
        assertThat(CrashPlan.draw(42, 50, 10, directory, 2_000))
                .isNotEqualTo(CrashPlan.draw(43, 50, 10, directory, 2_000));
    }

    @Test
    void eachJobHasItsOwnKeyAndFile() {
        CrashPlan plan = CrashPlan.draw(1, 500, 20, directory, 2_000);

        assertThat(plan.jobs().stream().map(CrashPlan.PlannedJob::key)).doesNotHaveDuplicates();
        assertThat(plan.jobs().stream().map(CrashPlan.PlannedJob::file)).doesNotHaveDuplicates();
        assertThat(plan.jobs()).allMatch(job -> job.exitCode() >= 0 && job.exitCode() < 126);
        assertThat(plan.kills())
                .hasSize(20)
                .anyMatch(CrashPlan.Kill::duringStart)
                .anyMatch(kill -> !kill.duringStart());
    }

    @Test
    void aJobThatIsRunTwiceLeavesTwoLines() throws Exception {
        CrashPlan.PlannedJob job =
                new CrashPlan.PlannedJob("key with 'quotes' and $signs", directory.resolve("line"), 0, 5, 10, 7);

        assertThat(run(job)).isEqualTo(7);
        assertThat(Files.readAllLines(job.file())).containsExactly(job.key());

        run(job);
        assertThat(Files.readAllLines(job.file())).containsExactly(job.key(), job.key());
    }

    private static int run(CrashPlan.PlannedJob job) throws Exception {
        JobRequest request = job.request(Instant.EPOCH);
        List<String> command = new ArrayList<>(List.of(request.executable()));
        command.addAll(request.arguments());
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }
}
