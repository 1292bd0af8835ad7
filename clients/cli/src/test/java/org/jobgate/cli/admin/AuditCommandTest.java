// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AuditCommandTest {

    private static final String ID = "019abcde-0000-7000-8000-000000000001";
    private static final List<String> OF_THE_LAUNCHER = List.of("jobgate.prefix", "jobgate.home", "jobgate.server.lib");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void pretendToBeLaunched() {
        OF_THE_LAUNCHER.forEach(name -> System.setProperty(name, folder.toString()));
    }

    @AfterEach
    void stopPretending() {
        OF_THE_LAUNCHER.forEach(System::clearProperty);
    }

    private int run(Map<String, String> answers, String... words) throws Exception {
        Path configuration = Files.writeString(folder.resolve("jobgate.yaml"), "state: { directory: . }\n");
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--config";
        all[words.length + 1] = configuration.toString();
        Files.deleteIfExists(folder.resolve("admin.sock"));
        try (AdminStub server = new AdminStub(folder.resolve("admin.sock"), answers)) {
            return Jobgate.commandLine()
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(all);
        }
    }

    @Test
    void aJobIsShownWithTimesThatPeopleRead() throws Exception {
        int status = run(
                Map.of(
                        "GET /audit/jobs/" + ID,
                        "{\"job\":\"" + ID + "\",\"created\":1795500000000,\"exit_code\":3,"
                                + "\"entries\":[{\"number\":7,\"kind\":\"CREATED\",\"at\":\"2026-11-25T00:00:00Z\"}]}"),
                "audit",
                "job",
                ID);
        assertThat(status).isZero();
        assertThat(out.toString())
                .contains("created: 2026-11-24T06:00:00Z", "exit_code: 3", "2026-11-25T00:00:00Z  CREATED  (entry 7)");
    }

    @Test
    void exportWritesOneLineForEachJobAndAsksUntilThereIsNoMore() throws Exception {
        int status = run(
                Map.of(
                        "GET /audit/jobs?after=",
                        "{\"jobs\":[{\"job\":\"a\"},{\"job\":\"b\"}]}",
                        "GET /audit/jobs?after=b",
                        "{\"jobs\":[]}"),
                "audit",
                "export");
        assertThat(status).isZero();
        assertThat(out.toString().lines()).containsExactly("{\"job\":\"a\"}", "{\"job\":\"b\"}");
    }

    @Test
    void changedRecordsAreSaidAndGiveAnotherExitStatus() throws Exception {
        assertThat(run(Map.of("GET /audit/verify", "{\"entries\":6,\"jobs\":3,\"end\":\"6 abc\"}"), "audit", "verify"))
                .isZero();
        assertThat(out.toString())
                .contains("3 jobs with 6 entries are as they were written.", "The last entry: 6 abc.");
        assertThat(run(
                        Map.of(
                                "GET /audit/verify",
                                "{\"entries\":1,\"jobs\":0,\"end\":\"1 abc\",\"fault\":\"Entry 2 is missing.\"}"),
                        "audit",
                        "verify"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("The audit records were changed. Entry 2 is missing.");
    }

    @Test
    void whatIsNoIdIsNotAskedFor() throws Exception {
        assertThat(run(Map.of(), "audit", "job", "../jobs")).isEqualTo(1);
        assertThat(err.toString()).contains("This is no job's id: ../jobs.");
    }

    @Test
    void theCommandIsListedWithTheOthers() {
        assertThat(new CommandLine(Jobgate.commandLine().getCommandSpec()).getSubcommands())
                .containsKey("audit");
    }
}
