// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The drill of docs/operate/recovering.md by the commands, with jobs and audit records in PostgreSQL: a backup while jobs run, the loss of the database, and
 * what the backup and Fork know together. On a server of its own, which is lost.
 */
class PostgresBackupIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private Path directory;

    @Test
    void whatRanAfterTheBackupIsFoundAndNothingRunsTwice() throws Exception {
        try (OwnPostgres database = OwnPostgres.start(directory);
                Gateway gateway = Gateway.startWith(
                        "store: " + database.configuration() + "\naudit: " + database.configuration() + "\n")) {
            try {
                drill(database, gateway);
            } finally {
                go();
            }
        }
    }

    private void drill(OwnPostgres database, Gateway gateway) throws Exception {
        String ended = submit(gateway, "ended", "echo x >> runs; exit 3");
        assertThat(client(gateway, "wait", ended).status()).isEqualTo(3);
        String running = submit(
                gateway,
                "running",
                "echo x >> runs; i=0; while [ ! -e go ]; do [ $i -lt 3000 ] || exit 9; i=$((i + 1)); sleep 0.1; done; exit 4");
        await().atMost(PATIENCE).until(() -> runs() == 2);
        Path backup = directory.resolve("backup");
        well(server(gateway, "backup", backup.toString()));
        assertThat(backup.resolve("jobgate.copy.gz")).exists();
        assertThat(backup.resolve("audit.copy.gz")).exists();
        String after = submit(gateway, "after", "echo x >> runs; exit 5");
        assertThat(client(gateway, "wait", after).status()).isEqualTo(5);
        gateway.kill();
        database.lose();

        well(server(gateway, "restore", backup.toString()));
        gateway.startAgain();
        await().atMost(PATIENCE)
                .until(() -> server(gateway, "restore", "--report").output().contains(after));
        well(server(gateway, "resume"));
        assertThat(submit(gateway, "after", "echo x >> runs; exit 5"))
                .as("the same submission")
                .isEqualTo(after);
        assertThat(client(gateway, "wait", after).status()).isEqualTo(5);
        go();
        assertThat(client(gateway, "wait", running).status()).isEqualTo(4);
        assertThat(client(gateway, "wait", ended).status()).isEqualTo(3);
        assertThat(runs()).isEqualTo(3);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(server(gateway, "audit", "verify").output())
                                .contains("3 jobs with ")
                                .contains("as they were written"));
        assertThat(server(gateway, "audit", "export").output().lines())
                .hasSize(3)
                .allMatch(row -> row.contains("\"outcome\":\"DONE\""));
    }

    /** Lets the job end that waits for it. */
    private void go() throws Exception {
        Files.writeString(directory.resolve("go"), "");
    }

    private int runs() throws Exception {
        Path runs = directory.resolve("runs");
        return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
    }

    private String submit(Gateway gateway, String key, String script) throws Exception {
        Path job = Files.writeString(
                directory.resolve(key + ".json"),
                "{\"executable\": \"/bin/sh\", \"arguments\": [\"-c\", \"" + script + "\"], \"directory\": \""
                        + directory + "\"}");
        return well(client(gateway, "submit", "--key", key, job.toString())).strip();
    }

    private static String well(Programs.Result result) {
        assertThat(result.status()).as(result.output()).isZero();
        return result.output();
    }

    private static Programs.Result client(Gateway gateway, String verb, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(verb, "--url", "https://localhost:" + gateway.port()));
        all.addAll(List.of(words));
        return jobgate(gateway, all);
    }

    private static Programs.Result server(Gateway gateway, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(
                List.of("--config", gateway.directory().resolve("jobgate.yaml").toString()));
        return jobgate(gateway, all);
    }

    private static Programs.Result jobgate(Gateway gateway, List<String> words) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/jobgate").toString()));
        command.addAll(words);
        return gateway.clients().run(command);
    }
}
