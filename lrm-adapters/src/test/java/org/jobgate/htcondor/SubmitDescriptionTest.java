// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Submit descriptions, and the commands with stand-ins that print what real ones printed. */
class SubmitDescriptionTest {

    @TempDir
    Path bin;

    @Test
    void quotesArgumentsInTheNewSyntax() {
        assertThat(SubmitDescription.quoted(List.of("3", "simple"))).isEqualTo("\"3 simple\"");
        assertThat(SubmitDescription.quoted(List.of("one", "two with spaces", "three")))
                .isEqualTo("\"one 'two with spaces' three\"");
        assertThat(SubmitDescription.quoted(List.of("it's", "\"double\"", "")))
                .isEqualTo("\"'it''s' \"\"double\"\" ''\"");
    }

    @Test
    void writesADollarSoThatItStays() {
        String text = new SubmitDescription()
                .set("executable", "/bin/echo")
                .arguments(List.of("$(HOME)", "$x"))
                .environment(Map.of("A", "b c"))
                .attribute("JobgateId", "a \"b\"")
                .toText(3);

        assertThat(text).isEqualTo("""
                        executable = /bin/echo
                        arguments = "$(DOLLAR)(HOME) $(DOLLAR)x"
                        environment = "'A=b c'"
                        My.JobgateId = "a \\"b\\""
                        queue 3
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nqueue 5", "a\r", " a", "a\\", "$$(Cpus)", "$$([1])", "a\0"})
    void refusesWhatNoSubmitDescriptionCanHold(String value) {
        assertThatThrownBy(() -> new SubmitDescription().set("output", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("output");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a=b", "queue 2\n", "1a"})
    void refusesANameThatIsNone(String name) {
        assertThatThrownBy(() -> new SubmitDescription().set(name, "x")).isInstanceOf(IllegalArgumentException.class);
    }

    private Htcondor commands(String name, String script) throws IOException {
        Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return new Htcondor(bin, null, Duration.ofSeconds(2));
    }

    @Test
    void readsTheIdsOfASubmission() throws Exception {
        Htcondor condor = commands("condor_submit", "cat > " + bin + "/given; echo '53.0 - 53.2'");

        assertThat(condor.submit(new SubmitDescription().set("executable", "/bin/true"), 3))
                .containsExactly(new Htcondor.Cluster(53, 0, 2));
        assertThat(Files.readString(bin.resolve("given"))).isEqualTo("executable = /bin/true\nqueue 3\n");
    }

    @Test
    void tellsWhyACommandFailed() throws IOException {
        Htcondor condor = commands("condor_submit", "echo 'ERROR: Cannot allocate a cluster id' >&2; exit 1");

        assertThatThrownBy(() -> condor.submit(new SubmitDescription(), 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exit code 1")
                .hasMessageContaining("Cannot allocate a cluster id");
    }

    @Test
    void endsACommandThatDoesNot() throws IOException {
        Htcondor condor = commands("condor_q", "exec sleep 60");

        assertThatThrownBy(() -> condor.queue("true", List.of("ClusterId")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not end within 2 s");
    }

    @Test
    void asksQueueAndHistory() throws Exception {
        Path sample = Path.of("../docker/lab/samples/htcondor/live.condor_q-json.json")
                .toAbsolutePath();
        commands("condor_history", "echo \"$@\" > " + bin + "/asked");

        assertThat(commands("condor_q", "cat " + sample).queue("true", List.of("Owner")))
                .hasSize(7);
        assertThat(commands("condor_rm", "exit 0").history("a", "b < 1", 5, List.of("Owner", "JobStatus")))
                .isEmpty();
        assertThatThrownBy(() -> commands("condor_rm", "exit 0").remove(List.of("1.0", "-all"), "why"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
