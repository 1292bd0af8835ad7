// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The command ice with a queue of its own.
 *
 * @param clients who runs it
 * @param queue the directory
 */
record IceCommand(Programs clients, Path queue) {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** The queue of the gateway's Fork. */
    static String queue(Gateway gateway) {
        return "localhost:" + gateway.port() + "/cream-fork-default";
    }

    private List<String> command(String order, String... words) {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/ice").toString(), order, "-q", queue.toString()));
        all.addAll(List.of(words));
        return all;
    }

    /** Runs it; it must end well. */
    String good(String... words) throws IOException, InterruptedException {
        String[] rest = new String[words.length - 1];
        System.arraycopy(words, 1, rest, 0, rest.length);
        Programs.Result result = clients.run(command(words[0], rest));
        assertThat(result.status()).as(result.output()).isZero();
        return result.output();
    }

    /** Starts the manager; what it says goes to a file beside the queue. */
    Process start(String... words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command("run", words))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        queue.resolveSibling("manager.log").toFile()));
        builder.environment().putAll(clients.environment());
        return builder.start();
    }

    /** Waits for a job in one of these states, between bars; answers its line of status. */
    String awaitLine(String states) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(
                        () -> good("status", "-s", states.replace('|', ':'))
                                .lines()
                                .findFirst()
                                .orElse(""),
                        line -> !line.isEmpty());
    }
}
