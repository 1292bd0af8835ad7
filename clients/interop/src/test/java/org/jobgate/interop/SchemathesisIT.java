// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The REST API under schemathesis, which makes requests of the gateway's own OpenAPI document: good ones, bad ones, and ones in an order in which
 * one uses what another answered. Each answer must be one that the document names, in its form. Jobs run as an account of their own, for what is
 * made up may say anything. By hand for longer: {@code -Djobgate.schemathesis.seconds=600}, and with another seed
 * {@code -Djobgate.schemathesis.seed=N}.
 */
class SchemathesisIT {

    private static final String ACCOUNT = SeparateAccounts.ACCOUNTS.getFirst();

    private static final int SECONDS = Integer.getInteger("jobgate.schemathesis.seconds", 30);

    @Test
    void everyAnswerIsOneThatTheDocumentNames() throws Exception {
        try (SeparateAccounts site = SeparateAccounts.start("""
                fileTrees: [ { name: attacked, path: "$${home}/jobgate-attacked", writable: true } ]
                limits: { maxWait: 1s }
                """)) {
            Programs programs = new Programs(
                    site.directory,
                    Map.of(
                            "SCHEMATHESIS_HOOKS",
                            Checkout.file("src/test/schemathesis/hooks.py").toString(),
                            "PYTHONDONTWRITEBYTECODE",
                            "1"));
            String python = PythonEnvironment.with(
                    programs, "src/test/schemathesis/requirements.txt", "target/schemathesis-python");
            String tree = site.home(ACCOUNT) + "/jobgate-attacked";
            assertThat(site.as(ACCOUNT, "mkdir -p " + tree).status()).isZero();
            try {
                attack(site, programs, Path.of(python).resolveSibling("schemathesis"));
            } finally {
                site.as(ACCOUNT, "rm -rf " + tree);
            }
        }
    }

    private static void attack(SeparateAccounts site, Programs programs, Path schemathesis) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "-C",
                site.directory.toString(),
                schemathesis.toString(),
                "--config-file",
                Checkout.file("src/test/schemathesis/schemathesis.toml").toString()));
        Integer seed = Integer.getInteger("jobgate.schemathesis.seed");
        command.addAll(List.of(
                "run",
                "https://localhost:" + site.port() + "/api/v1/openapi.json",
                "--tls-verify=false",
                "--request-cert=" + site.path(ACCOUNT + ".proxy"),
                "--max-time=" + SECONDS,
                "--max-examples=40",
                // streams end when their reader does
                "--exclude-path-regex=/events$",
                // what a cursor, an index or a time means the document cannot say, and of many jobs each has its own
                // answer
                "--exclude-checks=ignored_auth,positive_data_acceptance,negative_data_rejection"));
        if (seed != null) {
            command.add("--seed=" + seed);
        }
        Programs.Result result = programs.run(command, Duration.ofSeconds(6L * SECONDS + 300));
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).containsPattern("[1-9][0-9]* passed").doesNotContain("FAILURES");
    }
}
