// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.JobDescription;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguage;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JDL at doors that know nothing of sandboxes. */
class JdlLanguageTest {

    private final JobLanguage jdl = new JdlLanguage();

    private DescribedJob read(String text) {
        Set<String> lrms = new LinkedHashSet<>(List.of("Fork", "Slurm"));
        List<DescribedJob> jobs =
                jdl.read(text, new ReadingContext(lrms, account -> account.orElse("alice"), JobLimits.defaults()));
        assertThat(jobs).hasSize(1);
        return jobs.getFirst();
    }

    @Test
    void aJobWithoutSandboxesRunsInItsHome() {
        DescribedJob job =
                read("Executable = \"/bin/echo\"; StdOutput = \"out\"; BatchSystem = \"slurm\"; QueueName = \"q\"");
        JobDescription description = job.description();

        assertThat(job.lrm()).isEqualTo("Slurm");
        assertThat(description.directory()).isNull();
        assertThat(description.stdout()).isEqualTo("out");
        assertThat(description.queue()).isEqualTo("q");
        assertThat(description.transfers().isEmpty()).isTrue();
        assertThat(read("Executable = \"/bin/echo\"").lrm()).isNull();
        assertThat(read("Executable = \"/bin/echo\"; BatchSystem = \"lsf\"").lrm())
                .isEqualTo("lsf");
    }

    @Test
    void sandboxesAreRefusedByName() {
        assertThatThrownBy(() -> read("Executable = \"a\"; InputSandbox = \"https://h/a\""))
                .hasMessageStartingWith("InputSandbox: not supported here: ");
        assertThatThrownBy(() ->
                        read("Executable = \"/a\"; OutputSandbox = \"o\"; OutputSandboxBaseDestURI = \"https://h\""))
                .hasMessageStartingWith("OutputSandbox: not supported here: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[ Executable = \"/bin/true\" ]",
                "executable=\"/bin/true\";",
                "# comment = [\n// x\n/* y */ [ /* z */ Type = \"Job\";\n EXECUTABLE = \"a\"",
            })
    void aTextIsRecognized(String text) {
        assertThat(jdl.recognizes(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"executable\": \"/bin/true\"}",
                "[{\"executable\": \"x = executable = y\"}]",
                "<job><executable>/bin/true</executable></job>",
                "&(executable=\"/bin/true\")",
                "a = 1",
                "/* executable = ",
            })
    void anotherTextIsNot(String text) {
        assertThat(jdl.recognizes(text)).isFalse();
        assertThat(jdl.recognizes(text + " /*".repeat(1_300))).isFalse();
    }

    @Test
    void partsHaveTheNamesOfAttributes() {
        assertThat(Arrays.stream(DescriptionPart.values()).map(jdl::nameOf))
                .contains("Executable", "StdOutput", "account");
    }
}
