// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jobgate.perf.wire.RefusedException;
import org.jobgate.perf.wire.Staging;
import org.junit.jupiter.api.Test;

class CrowdTest {

    @Test
    void eachClientLoopsUntilThePaceIsOver() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        Crowd crowd = new Crowd(List.of(reads::incrementAndGet, reads::incrementAndGet));

        assertThat(crowd.connect().total()).isZero();
        Crowd.Outcome outcome = crowd.loop(Pace.closedLoop(Duration.ofMinutes(1), 50));

        assertThat(outcome.latencies().count()).isEqualTo(50);
        assertThat(outcome.perSecond()).isPositive();
        assertThat(reads).hasValue(52);
    }

    @Test
    void eachClientOfACrowdHasAnAddressOfItsOwn() {
        List<String> addresses = IntStream.range(0, 7000)
                .mapToObj(client -> Clients.address(client).getHostAddress())
                .toList();

        assertThat(addresses).doesNotHaveDuplicates().startsWith("127.0.1.1", "127.0.1.2");
        assertThat(addresses).allMatch(address -> address.startsWith("127.0.") && !address.endsWith(".0"));
    }

    @Test
    void whoIsRefusedIsCountedByReasonAndGoesOn() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        Crowd crowd = new Crowd(List.of(() -> {
            if (reads.incrementAndGet() % 2 == 0) {
                throw new RefusedException(503, "limit 6000, you are number " + reads.get());
            }
        }));

        Crowd.Outcome outcome = crowd.loop(Pace.closedLoop(Duration.ofMinutes(1), 4));

        assertThat(outcome.latencies().count()).isEqualTo(2);
        assertThat(outcome.refused().counts()).isEqualTo(Map.of("HTTP status 503: limit N, you are number N", 2L));
    }

    @Test
    void openLoopCountsFromWhenAReadWasDue() throws Exception {
        Crowd crowd = new Crowd(List.of(() -> sleep(60)));

        Crowd.Outcome outcome = crowd.loop(Pace.openLoop(Duration.ofMinutes(1), 5, 1_000));

        // the fifth was due after 4 ms and answered after 300
        assertThat(outcome.latencies().percentiles().max()).isGreaterThan(250);
    }

    private static void sleep(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Test
    void idsAndNumbersMakeNoReasonOfTheirOwn() {
        assertThat(Reasons.reason(new IOException("job 0190aa11-2222-3333-4444-555566667777 at port 4711")))
                .isEqualTo("IOException: job ID at port N");
    }

    @Test
    void progressIsALineNowAndThenWhereThereIsNoTerminal() {
        var written = new ByteArrayOutputStream();
        Progress progress = new Progress(new PrintStream(written, true, StandardCharsets.UTF_8), false, "jobs", 10);
        progress.step();
        progress.end();

        assertThat(written.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void aJobOfItsOwnDirectoryDeletesItAtItsEnd() {
        Staging staging = new Sandbox(Path.of("/home/a/run")).inOwnDirectory("cred", "k1");

        assertThat(staging.in())
                .containsExactly(
                        new Staging.Copy("gsiftp://localhost:2811/home/a/run/10k", "file:///home/a/run/job.k1/in"));
        assertThat(staging.out())
                .containsExactly(
                        new Staging.Copy("file:///home/a/run/job.k1/in", "gsiftp://127.0.0.2:2812/home/a/run/out.k1"));
        assertThat(staging.cleanUp()).containsExactly("file:///home/a/run/job.k1/");
    }
}
