// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a job that does nothing takes, and what it costs; the figures of docs/internals/worker-protocol.md come from here. */
class LatencyIT {

    private static final int JOBS = 200;
    private static final int TICKS_PER_SECOND = 100;

    /** A job is some processes, several messages and files that are forced to disk; a pause of a tenth of a second anywhere would be more. */
    private static final int PROGRAMS_A_JOB = 30;

    @TempDir
    Path directory;

    @Test
    void aJobThatDoesNothingIsOverInMilliseconds() throws Exception {
        try (LrmRoom room = new LrmRoom(directory)) {
            IntStream.range(0, 50).forEach(i -> once(room));
            long ticks = cpuTicks(room);
            long[] micros = new long[JOBS];
            long[] programs = new long[JOBS];
            for (int i = 0; i < JOBS; i++) {
                micros[i] = once(room);
                programs[i] = program();
            }
            Arrays.sort(micros);
            Arrays.sort(programs);
            double cpuMs = (cpuTicks(room) - ticks) * 1000.0 / TICKS_PER_SECOND / JOBS;
            report("the same program, started by this process: median %.1f ms", programs[JOBS / 2] / 1000.0);
            report(
                    "submit to Done of /bin/true, one after another: median %.1f ms, p90 %.1f ms, worst %.1f ms; CPU of starter, worker and job %.2f ms a job",
                    micros[JOBS / 2] / 1000.0, micros[JOBS * 9 / 10] / 1000.0, micros[JOBS - 1] / 1000.0, cpuMs);
            assertThat(micros[JOBS / 2]).isLessThan(PROGRAMS_A_JOB * programs[JOBS / 2]);
        }
    }

    @Test
    void manyJobsAtOnce() throws Exception {
        try (LrmRoom room = new LrmRoom(directory, settings -> settings.withMaxRunning(50))) {
            once(room);
            long ticks = cpuTicks(room);
            long begin = System.nanoTime();
            List<SubmitRequest> requests = IntStream.range(0, 2000)
                    .mapToObj(i -> new SubmitRequest(
                            room.newTag(), room.job("/bin/true").build(), false))
                    .toList();
            room.lrm.submit(LrmRoom.ACCOUNT, requests);
            long accepted = System.nanoTime();
            requests.forEach(request ->
                    assertThat(room.awaitEnd(request.tag()).exitCode()).isZero());
            report(
                    "2000 jobs, 50 at once: accepted in %.2f s, done in %.2f s; CPU of starter, worker and jobs %.2f ms a job",
                    (accepted - begin) / 1e9,
                    (System.nanoTime() - begin) / 1e9,
                    (cpuTicks(room) - ticks) * 1000.0 / TICKS_PER_SECOND / 2000);
        }
    }

    /** The figures are what this test is for. */
    private static void report(String format, Object... figures) throws IOException {
        String line = String.format(Locale.ROOT, format, figures);
        System.out.println(line);
        Files.writeString(
                Path.of("target/latency.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Microseconds from the call of submit to the event of the end. */
    private static long once(LrmRoom room) {
        CountDownLatch ended = new CountDownLatch(1);
        room.onEnd(ended::countDown);
        long begin = System.nanoTime();
        room.submit(room.job("/bin/true"));
        try {
            assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return (System.nanoTime() - begin) / 1000;
    }

    /** Microseconds that the program takes without a gateway, just now. */
    private static long program() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        assertThat(new ProcessBuilder("/bin/true").start().waitFor()).isZero();
        return (System.nanoTime() - begin) / 1000;
    }

    private static long cpuTicks(LrmRoom room) throws IOException {
        long worker = ProcessHandle.current()
                .children()
                .filter(process -> LrmRoom.commandLine(process.pid()).contains("/jobgate-worker "))
                .findFirst()
                .orElseThrow()
                .pid();
        return cpuTicks(room.starterPid()) + cpuTicks(worker);
    }

    /** Of the process and its children that are over, in user and kernel mode. */
    private static long cpuTicks(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return IntStream.rangeClosed(11, 14)
                .mapToLong(i -> Long.parseLong(fields[i]))
                .sum();
    }
}
