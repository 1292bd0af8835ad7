// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Audit records in a PostgreSQL that is stopped while users work and started again later ({@code -Djobgate.audit.away=SECONDS}, 3 where nothing
 * is said; 600 for ten minutes by hand): jobs go on, and afterwards each is on record once, with its three entries.
 */
class AuditAwayIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int USERS = 3;
    private static final String RECORDED_AGAIN = "Jobs are recorded for the audit again";

    @TempDir
    private Path directory;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void whileTheServerIsStoppedJobsGoOnAndEachIsOnRecordOnceAfterwards() throws Exception {
        try (OwnPostgres database = OwnPostgres.start(directory);
                Gateway gateway = Gateway.startWith("audit: " + database.configuration() + "\n")) {
            away(gateway, database);
        }
    }

    private void away(Gateway gateway, OwnPostgres database) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(USERS)) {
            List<Future<Integer>> users = new ArrayList<>();
            for (int i = 0; i < USERS; i++) {
                int user = i;
                users.add(threads.submit(() -> work(gateway, user)));
            }
            try {
                awaitEnds(USERS);
                database.stop();
                int before = ended.get();
                Thread.sleep(Duration.ofSeconds(Integer.getInteger("jobgate.audit.away", 3)));
                awaitEnds(before + 2 * USERS);
                gateway.awaitLog(0, "Jobs cannot be recorded for the audit");
                assertThat(gateway.log()).doesNotContain(RECORDED_AGAIN);
                database.startAgain();
                gateway.awaitLog(0, RECORDED_AGAIN);
                awaitEnds(ended.get() + USERS);
            } finally {
                isOver.set(true);
            }
            int submitted = 0;
            for (Future<Integer> user : users) {
                submitted += user.get();
            }
            String whole = submitted + " jobs with " + 3 * submitted + " entries are as they were written.";
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(audit(gateway, "verify").output()).contains(whole));
            List<String> rows = audit(gateway, "export").output().lines().toList();
            assertThat(rows).hasSize(submitted).allMatch(row -> row.contains("\"outcome\":\"DONE\""));
        }
    }

    private void awaitEnds(int wanted) {
        await().atMost(PATIENCE).until(() -> ended.get() >= wanted);
    }

    /** Submits one job after the other and waits for each; answers how many. */
    private int work(Gateway gateway, int user) throws Exception {
        int jobs = 0;
        while (!isOver.get()) {
            int code = (user + jobs) % 7;
            Programs.Result result = gateway.clients()
                    .run(List.of(
                            command(),
                            "submit",
                            "--url",
                            "https://localhost:" + gateway.port(),
                            "--wait",
                            "-c",
                            "/bin/sh",
                            "-c",
                            "sleep 0.3; exit " + code));
            assertThat(result.status()).as(result.output()).isEqualTo(code);
            jobs++;
            ended.incrementAndGet();
        }
        return jobs;
    }

    private static Programs.Result audit(Gateway gateway, String what) throws IOException, InterruptedException {
        return gateway.clients()
                .run(List.of(
                        command(),
                        "audit",
                        what,
                        "--config",
                        gateway.directory().resolve("jobgate.yaml").toString()));
    }

    private static String command() {
        return Checkout.directory().resolve("bin/jobgate").toString();
    }
}
