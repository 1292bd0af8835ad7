// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many jobs that do nothing, through us and given to the same pool directly; the figures of docs/internals/htcondor.md come from here. */
class HtcondorSpeedIT {

    private static final int JOBS = 200;

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        HtcondorLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        HtcondorLab.tidy();
    }

    @Test
    void manyJobsTakeAsLongAsWithoutUs() throws Exception {
        try (ContractRoom room =
                new ContractRoom(HtcondorLab.ACCOUNT, HtcondorLab.settings().withBatchLimit(JOBS))) {
            room.run(room.job("/bin/true"));
            double first = direct(room);
            room.lags.clear();
            double ours = throughUs(room);
            double second = direct(room);
            List<Duration> lags = room.lags.stream().sorted().toList();
            report(
                    "%d x /bin/true: direct %.1f s, through PerlLrm(condor) %.1f s, direct %.1f s: ratio %.2f; event to our event: median %d ms, worst %d ms",
                    JOBS,
                    first,
                    ours,
                    second,
                    ours / ((first + second) / 2),
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
        requests.forEach(
                request -> assertThat(room.awaitEnd(request.tag()).exitCode()).isZero());
        return (System.nanoTime() - begin) / 1e9;
    }

    /** One condor_submit of as many, by the same account, and condor_wait for the last. */
    private static double direct(ContractRoom room) throws IOException, InterruptedException {
        Path log = room.work.resolve("direct." + System.nanoTime() + ".log");
        Path file = room.write(
                "direct.sub",
                "executable = /bin/true\nshould_transfer_files = NO\ninitialdir = " + room.work + "\nlog = " + log
                        + "\nqueue " + JOBS + "\n");
        long begin = System.nanoTime();
        assertThat(asAccount("condor_submit", "-terse", file.toString()).exit()).isZero();
        assertThat(asAccount("condor_wait", "-wait", "480", log.toString()).exit())
                .isZero();
        return (System.nanoTime() - begin) / 1e9;
    }

    private static HtcondorLab.Answer asAccount(String command, String... arguments)
            throws IOException, InterruptedException {
        return HtcondorLab.runAs(HtcondorLab.ACCOUNT, command, arguments);
    }

    /** The figures are what this test is for. */
    private static void report(String format, Object... figures) throws IOException {
        String line = String.format(Locale.ROOT, format, figures);
        System.out.println(line);
        Files.writeString(
                Path.of("target/htcondor.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
