// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many jobs that do nothing, through us and given to the same Grid Engine directly; the figures of docs/internals/sge.md come from here. */
class SgeSpeedIT {

    private static final int JOBS = Integer.getInteger("jobgate.speed.jobs", 200);
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SgeLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SgeLab.tidy();
    }

    @Test
    void manyJobsTakeAsLongAsWithoutUs() throws Exception {
        try (ContractRoom room = new ContractRoom(
                SgeLab.ACCOUNT, SgeLab.settings(Map.of("poll_interval", "5")).withBatchLimit(JOBS))) {
            room.run(room.job("/bin/true"));
            double first = direct();
            room.endLags.clear();
            long own = cpuTicks(room, 11);
            long commands = cpuTicks(room, 13);
            double ours = throughUs(room);
            double ownCpu = (cpuTicks(room, 11) - own) * 10.0 / JOBS;
            double commandsCpu = (cpuTicks(room, 13) - commands) * 10.0 / JOBS;
            double second = direct();
            List<Duration> lags = room.endLags.stream().sorted().toList();
            report(
                    "%d x /bin/true: direct (one qsub each) %.1f s, through PerlLrm(sge) %.1f s, direct %.1f s: ratio %.2f; CPU of the worker %.1f ms and of its commands %.1f ms a job; its end to our event: median %d ms, worst %d ms",
                    JOBS,
                    first,
                    ours,
                    second,
                    ours / ((first + second) / 2),
                    ownCpu,
                    commandsCpu,
                    lags.get(lags.size() / 2).toMillis(),
                    lags.getLast().toMillis());
            assertThat(lags.get(lags.size() / 2)).isLessThan(Duration.ofMinutes(1));
        }
    }

    private static double throughUs(ContractRoom room) {
        long begin = System.nanoTime();
        List<SubmitRequest> requests = IntStream.range(0, JOBS)
                .mapToObj(i ->
                        new SubmitRequest(room.newTag(), room.job("/bin/true").build(), false))
                .toList();
        room.lrm().submit(room.account, requests);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> requests.stream()
                        .allMatch(request -> room.kinds(request.tag()).contains(LrmEvent.Kind.ENDED)));
        return (System.nanoTime() - begin) / 1e9;
    }

    /** One qsub after the other, by the same account, as a user's loop does; then qstat until none is left. */
    private static double direct() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        String loop = "i=0; while [ $i -lt " + JOBS + " ]; do " + SgeLab.BIN.resolve("qsub")
                + " -terse -b y -shell n -o /dev/null -j y -N jd_$i /bin/true >/dev/null || exit 1; i=$((i + 1)); done";
        assertThat(SgeLab.shAs(SgeLab.ACCOUNT, loop).exit()).isZero();
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> !SgeLab.run("qstat", "-u", SgeLab.ACCOUNT).out().contains("jd_"));
        return (System.nanoTime() - begin) / 1e9;
    }

    /** What the workers used (field 11) or the commands that they have waited for (field 13), user and system, in ticks of 10 ms. */
    private static long cpuTicks(ContractRoom room, int field) throws IOException {
        long ticks = 0;
        for (ProcessHandle worker : room.workers()) {
            String stat = Files.readString(Path.of("/proc/" + worker.pid() + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            ticks += Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1]);
        }
        return ticks;
    }

    /** The figures are what this test is for. */
    private static void report(String format, Object... figures) throws IOException {
        String line = String.format(Locale.ROOT, format, figures);
        System.out.println(line);
        Files.writeString(Path.of("target/sge.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
