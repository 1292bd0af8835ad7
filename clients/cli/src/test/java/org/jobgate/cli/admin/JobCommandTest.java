// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class JobCommandTest {

    private static final String ID = "0b8d4c1a-0000-7000-8000-000000000001";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();

    private static final List<String> OF_THE_LAUNCHER = List.of("jobgate.prefix", "jobgate.home", "jobgate.server.lib");

    @BeforeEach
    void pretendToBeLaunched() {
        OF_THE_LAUNCHER.forEach(name -> System.setProperty(name, folder.toString()));
    }

    @AfterEach
    void stopPretending() {
        OF_THE_LAUNCHER.forEach(System::clearProperty);
    }

    private int run(String... words) throws Exception {
        Path configuration = Files.writeString(folder.resolve("jobgate.yaml"), "state: { directory: . }\n");
        CommandLine command = Jobgate.commandLine().setOut(new PrintWriter(out));
        String[] all = java.util.Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--config";
        all[words.length + 1] = configuration.toString();
        return command.execute(all);
    }

    private AdminStub server(String state) throws Exception {
        return new AdminStub(
                folder.resolve("admin.sock"),
                Map.of(
                        "GET /jobs/" + ID,
                        "{\"id\":\"" + ID + "\",\"state\":\"" + state + "\"}",
                        "POST /jobs/" + ID + "/cancel",
                        "{}"));
    }

    @Test
    void aJobThatHasEndedIsNotSaidToBeCancelled() throws Exception {
        try (AdminStub server = server("DONE")) {
            assertThat(run("job", "cancel", ID)).isZero();
            assertThat(out.toString())
                    .isEqualToIgnoringNewLines("Job " + ID + " has ended already (DONE); there is nothing to cancel.");
            assertThat(server.asked()).isEqualTo(List.of("GET /jobs/" + ID));
        }
    }

    @Test
    void aLiveJobIsCancelled() throws Exception {
        try (AdminStub server = server("ACTIVE")) {
            assertThat(run("job", "cancel", ID)).isZero();
            assertThat(out.toString()).isEqualToIgnoringNewLines("Job " + ID + " is being cancelled.");
            assertThat(server.asked()).containsExactly("GET /jobs/" + ID, "POST /jobs/" + ID + "/cancel");
        }
    }
}
