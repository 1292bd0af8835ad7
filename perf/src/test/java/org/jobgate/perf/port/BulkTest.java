// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BulkTest {

    @TempDir
    Path directory;

    @Test
    void aSmallRunMeasuresARealStoreAndLeavesNothingBehind() throws Exception {
        Path out = directory.resolve("bulk.json");
        Path work = Files.createDirectory(directory.resolve("work"));

        int status = new CommandLine(new Bulk())
                .execute(
                        "--jobs",
                        "25",
                        "--batch",
                        "10",
                        "--repeat",
                        "2",
                        "--out",
                        out.toString(),
                        "--directory",
                        work.toString(),
                        "--root",
                        directory.toString());

        JsonNode json = JsonMapper.builder().build().readTree(Files.readString(out));
        assertThat(status).isZero();
        assertThat(json.path("jobs_per_second").path("min").asDouble()).isPositive();
        assertThat(json.path("commits").asLong()).isGreaterThanOrEqualTo(6);
        assertThat(work).isEmptyDirectory();
    }

    @Test
    void sizesOfNothingAreRefused() {
        assertThat(new CommandLine(new Bulk())
                        .execute("--jobs", "0", "--directory", directory.toString(), "--root", "/"))
                .isEqualTo(1);
    }
}
