// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each step of the administrator's trace is made to fail. */
class AdminTraceTest {

    @TempDir
    Path folder;

    private String said = "";

    private @Nullable String trace(@Nullable String lrm) throws AdminException {
        StringWriter out = new StringWriter();
        String url = new AdminTrace(new AdminClient(folder.resolve("s"), Duration.ofSeconds(5)), new PrintWriter(out))
                .run(lrm);
        said = out.toString();
        return url;
    }

    private AdminStub server(String state, String lrms) throws Exception {
        return new AdminStub(
                folder.resolve("s"),
                Map.of(
                        "GET /status",
                        "{\"state\":\"" + state + "\",\"pid\":7,\"liveJobs\":2,\"url\":\"https://localhost:8443/\"}",
                        "GET /lrms",
                        "{\"lrms\":[" + lrms + "]}"));
    }

    @Test
    void noServer() throws Exception {
        assertThat(trace(null)).isNull();
        assertThat(said).startsWith("FAILED server").contains("next:        jobgate start");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            draining | {"name":"Fork","well":true}                                                     | It is draining     | jobgate resume
            stopping | {"name":"Fork","well":true}                                                     | It is stopping     | jobgate status
            running  | {"name":"Fork","well":false,"why":"no starter"}                                 | FAILED lrm Fork     | jobgate doctor
            running  | {"name":"Fork","well":true,"backOffs":[{"account":"a","because":"no sudo"}]}    | account a wait, because no sudo | jobgate lrm show Fork
            running  | ''                                                                              | There is no batch  | jobgate lrm list
            """)
    void whatIsNotWellIsSaidWithTheNextCommand(String state, String lrms, String why, String next) throws Exception {
        try (AdminStub stub = server(state, lrms)) {
            assertThat(trace("Fork")).as(stub.asked().toString()).isNull();
        }
        assertThat(said).contains(why, "next:        " + next);
    }

    @Test
    void aServerThatIsWellHasAnAddress() throws Exception {
        try (AdminStub stub = server(
                "running", "{\"name\":\"Fork\",\"well\":true},{\"name\":\"PBS\",\"well\":false,\"why\":\"x\"}")) {
            assertThat(trace("Fork")).as(stub.asked().toString()).isEqualTo("https://localhost:8443/");
            assertThat(said).contains("runs as process 7 with 2 jobs", "Fork: well");
        }
    }
}
