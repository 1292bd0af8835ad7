// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jobgate.job.JobId;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;
import org.jobgate.transfer.file.FileProtocol;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What transfers cost that wait for their turn. */
class QueuedTransfersTest {

    private static final int JOBS = 1_000;
    private static final int FILES_OF_A_JOB = 10;
    private static final int AT_ONCE = 8;
    private static final long MIB = 1024 * 1024;
    private static final long MOST = 100 * MIB;

    @TempDir
    Path folder;

    @Test
    void tenThousandWaitInLessThanAHundredMebibytesAndAreAllMade() throws Exception {
        URI source = Files.writeString(folder.resolve("source"), "ten bytes\n").toUri();
        Path copies = Files.createDirectory(folder.resolve("copies"));
        LocalFiles files = new LocalFiles();
        TransferCredentials none = (owner, reference) -> {
            throw new TransferException(TransferException.Kind.PERMANENT, "there is none", "");
        };
        try (JobStore store = TestStores.sqlite(folder);
                TransferEngine engine = new TransferEngine(
                        settings(),
                        new Protocols(List.of(new FileProtocol(files, files))),
                        new UrlPolicy(true),
                        none,
                        store,
                        Clock.systemUTC(),
                        new Random(5))) {
            engine.allow(0);
            long before = used();
            List<CompletableFuture<TransferResult>> results = new ArrayList<>();
            for (int i = 0; i < JOBS; i++) {
                results.add(engine.submit(request(i, source, copies)));
            }

            assertThat(engine.figures().waiting()).isEqualTo(JOBS * FILES_OF_A_JOB);
            long each = used() - before;
            System.out.printf("%d queued transfers: %.1f MiB%n", JOBS * FILES_OF_A_JOB, (double) each / MIB);
            assertThat(each).isLessThan(MOST);

            engine.allow(AT_ONCE);
            for (CompletableFuture<TransferResult> result : results) {
                assertThat(result.get(2, TimeUnit.MINUTES).failed()).isNull();
            }
        }
        try (Stream<Path> made = Files.list(copies)) {
            assertThat(made).hasSize(JOBS * FILES_OF_A_JOB);
        }
    }

    private static TransferRequest request(int number, URI source, Path copies) {
        JobId job = new JobId(UUID.randomUUID());
        List<TransferTask> tasks = IntStream.range(0, FILES_OF_A_JOB)
                .mapToObj(i -> new TransferTask(
                        source, copies.resolve(number + "-" + i).toUri(), Map.of(), false))
                .toList();
        return new TransferRequest(job + "-in", job, "/CN=alice " + number % 10, "alice", null, tasks, 0, 0, false);
    }

    private static TransferSettings settings() {
        return TestSettings.quick(
                AT_ONCE,
                FILES_OF_A_JOB,
                TransferSettings.Tries.defaults().withPauses(Duration.ofMillis(20), Duration.ofMillis(100)));
    }

    private static long used() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
