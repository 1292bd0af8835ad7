// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The verbs of {@code jobgate} through their launcher, with a gateway. */
@ExtendWith(OneGateway.class)
class VerbsIT {

    private final Gateway gateway;

    VerbsIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private Programs.Result jobgate(String... words) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/jobgate").toString()));
        command.addAll(List.of(words));
        command.addAll(1 + (words[0].equals("array") || words[0].equals("job") ? 2 : 1), List.of("--url", url()));
        return gateway.clients().run(command);
    }

    private String url() {
        return gateway.services().replaceFirst("^(https://[^/]+)/.*", "$1");
    }

    private String well(String... words) throws Exception {
        Programs.Result result = jobgate(words);
        assertThat(result.status()).as(result.output()).isZero();
        return result.output();
    }

    /** One that is held until its input is there: brought, released, waited for, and its output fetched. */
    @Test
    void aJobIsHeldFedReleasedAndItsOutputFetched(@TempDir Path directory) throws Exception {
        Path job = Files.writeString(
                directory.resolve("job.json"),
                "{\"executable\": \"/bin/sh\", \"arguments\": [\"-c\", \"cat given; wc -c < given > counted; exit 7\"], \"directory\": \""
                        + Files.createDirectories(directory.resolve("work"))
                        + "\", \"stdout\": \"out\", \"holdAt\": \"StageIn\"}");
        Path given = Files.writeString(directory.resolve("given"), "hello\n");

        String id = well("submit", job.toString()).strip();
        String end = id.substring(id.length() - 10);
        assertThat(well("ls", "--live")).contains(id);
        well("put", id, given.toString());
        assertThat(well("release", end)).contains(id);
        Programs.Result over = jobgate("wait", end);
        assertThat(over.status()).as(over.output()).isEqualTo(7);
        assertThat(well("status", end)).contains("Done, exit code 7");
        assertThat(well("logs", "-f", id)).isEqualTo("hello\n");
        well("get", id, "counted", directory.resolve("counted").toString());
        assertThat(directory.resolve("counted")).hasContent("6\n");
        assertThat(well("explain", id)).contains("released by its owner");
        Programs.Result late = jobgate("hold", id);
        assertThat(late.status()).as(late.output()).isEqualTo(252);
        assertThat(late.output()).contains("does not wait");
        assertThat(well("rm", id)).contains("gone");
        assertThat(jobgate("status", id).output()).contains("There is no job");
    }

    @Test
    void aCommandIsWaitedForAndAnArrayToo() throws Exception {
        Programs.Result one = jobgate("submit", "--wait", "-c", "/bin/sh", "-c", "exit 5");
        assertThat(one.status()).as(one.output()).isEqualTo(5);
        Programs.Result array =
                jobgate("submit", "--wait", "--array", "1-3", "-c", "/bin/sh", "-c", "test {index} -lt 3");
        assertThat(array.status()).as(array.output()).isEqualTo(251);
        assertThat(array.output()).contains("2 Done, 1 Failed");
    }
}
