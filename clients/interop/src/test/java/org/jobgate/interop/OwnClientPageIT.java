// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The shell commands of docs/user/own-client.md, run as they stand there, one after the other; and its client in Python. */
@ExtendWith(OneGateway.class)
class OwnClientPageIT {

    private final Gateway gateway;

    OwnClientPageIT(Gateway gateway) {
        this.gateway = gateway;
    }

    @Test
    void theCommandsOfThePageWork() throws Exception {
        assumeTrue(
                gateway.clients()
                                .run(List.of("/bin/sh", "-c", "command -v curl"))
                                .status()
                        == 0,
                "SKIPPED: there is no curl (Debian: curl)");
        String script = partsOfThePage("sh");

        Programs.Result result = gateway.clients().run(List.of("/bin/sh", "-eu", "-c", script));

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines().skip(1)).containsExactly("state Done", "exit code 3", "forgotten");
        assertThat(result.output()).startsWith("job ");
    }

    @Test
    void theZeepClientOfThePageWorks() throws Exception {
        String python = Zeep.python(gateway.clients());

        Programs.Result result = gateway.clients().run(List.of(python, "-c", partsOfThePage("python")));

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines()).containsExactly("state Done exit code 3");
    }

    private static String partsOfThePage(String language) throws IOException {
        Path page = Checkout.directory().resolve("docs/user/own-client.md");
        return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(Files.readString(page))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.joining());
    }
}
