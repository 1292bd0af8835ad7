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
import java.util.stream.IntStream;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many jobs that do nothing, through us and given to the same Slurm directly; the figures of docs/internals/slurm.md come from here. */
class SlurmSpeedIT {

    private static final int JOBS = Integer.getInteger("jobgate.speed.jobs", 200);
    private static final Duration PATIENCE = Duration.ofMinutes(8);
    private static final int TICKS_PER_SECOND = 100;

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SlurmLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SlurmLab.tidy();
    }

    @Test
    void manyJobsTakeAsLongAsWithoutUs() throws Exception {
        try (ContractRoom room = new ContractRoom(SlurmLab.ACCOUNT, SlurmLab.settings())) {
            room.run(room.job("/bin/true"));
            double first = direct(room);
            room.lags.clear();
            double ours = throughUs(room);
            double second = direct(room);
            List<Duration> lags = room.lags.stream().sorted().toList();
            report(
                    "%d x /bin/true, 4 sbatch at a time: direct %.1f s, through PerlLrm(slurm) %.1f s, direct %.1f s: ratio %.2f; Slurm's event to ours: median %d ms, worst %d ms",
                    JOBS,
                    first,
                    ours,
                    second,
                    ours / ((first + second) / 2),
                    lags.get(lags.size() / 2).toMillis(),
                    lags.getLast().toMillis());
        }
    }

    private static double throughUs(ContractRoom room) throws IOException {
        long pid = room.workers().getFirst().pid();
        double before = cpuMs(pid);
        long begin = System.nanoTime();
        List<SubmitRequest> requests = IntStream.range(0, JOBS)
                .mapToObj(i ->
                        new SubmitRequest(room.newTag(), room.job("/bin/true").build(), false))
                .toList();
        room.lrm()
                .submit(room.account, requests)
                .forEach(result -> assertThat(result).isInstanceOf(SubmitResult.Accepted.class));
        double submitted = (System.nanoTime() - begin) / 1e9;
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> room.events.stream()
                                .filter(event -> event.kind() == Kind.ENDED)
                                .count()
                        > JOBS);
        double seconds = (System.nanoTime() - begin) / 1e9;
        requests.forEach(
                request -> assertThat(room.awaitEnd(request.tag()).exitCode()).isZero());
        report(
                "%d jobs submitted in %.1f s; CPU of the worker itself: %.2f ms a job",
                JOBS, submitted, (cpuMs(pid) - before) / JOBS);
        return seconds;
    }

    /** User and system time of the process without its children. */
    private static double cpuMs(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat")).replaceFirst(".*\\) ", "");
        List<String> fields = List.of(stat.split(" ", -1));
        return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) * 1000.0 / TICKS_PER_SECOND;
    }

    /** As many sbatch by the same account, as many at a time as the adapter runs, until Slurm shows none any more. */
    private static double direct(ContractRoom room) throws IOException, InterruptedException {
        String name = "direct-" + System.nanoTime();
        Path script = room.write(
                "direct.sh",
                "cd " + room.work + "\nseq " + JOBS + " | xargs -P 4 -I{} sbatch --parsable -J " + name
                        + " -o /dev/null --wrap=/bin/true > /dev/null\n"
                        + "while squeue -h -n " + name + " -o %A | grep -q .; do sleep 1; done\n");
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(
                        "setpriv",
                        "--reuid",
                        SlurmLab.ACCOUNT,
                        "--regid",
                        SlurmLab.ACCOUNT,
                        "--init-groups",
                        "env",
                        "SLURM_CONF=" + SlurmLab.CONFIG,
                        "sh",
                        script.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        return (System.nanoTime() - begin) / 1e9;
    }

    /** The figures are what this test is for. */
    private static void report(String format, Object... figures) throws IOException {
        String line = String.format(Locale.ROOT, format, figures);
        System.out.println(line);
        Files.writeString(
                Path.of("target/slurm.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
