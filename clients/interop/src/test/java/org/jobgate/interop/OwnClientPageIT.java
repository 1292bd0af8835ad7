// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The shell commands of docs/user/own-client.md, run as they stand there, one after the other. */
@ExtendWith(OneGateway.class)
class OwnClientPageIT {

    private static final Pattern COMMANDS = Pattern.compile("^```sh\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

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
        Path page = Checkout.directory().resolve("docs/user/own-client.md");
        String script = COMMANDS.matcher(Files.readString(page))
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.joining());

        Programs.Result result = gateway.clients().run(List.of("/bin/sh", "-eu", "-c", script));

        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines().skip(1)).containsExactly("state Done", "exit code 3", "forgotten");
        assertThat(result.output()).startsWith("job ");
    }
}
