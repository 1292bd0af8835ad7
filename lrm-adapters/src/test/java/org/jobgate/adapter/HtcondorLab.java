// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The pool of {@code docker/lab/htcondor}, below {@code JOBGATE_LAB} or its default; and what is needed to run jobs there as its account. */
final class HtcondorLab {

    static final String ACCOUNT = "jobgate-a";
    static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    static final Path BIN = LAB.resolve("htcondor/root/usr/bin");
    static final Path CONFIG = LAB.resolve("htcondor/etc/condor_config");
    private static final Path PERL =
            Path.of("/tmp/jobgate-htcondor-perl-" + ProcessHandle.current().pid());

    private HtcondorLab() {}

    /** Skips the test if the pool does not answer or we may not run jobs as its account. */
    static void need() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: jobs in the HTCondor lab are run as " + ACCOUNT + ", which only root may");
        assumeTrue(
                Files.isExecutable(BIN.resolve("condor_q")) && run("condor_q", "-totals").exit == 0,
                "SKIPPED: the HTCondor lab at " + LAB + " does not answer; bring it up with: docker/lab/htcondor up");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/sudo")), "SKIPPED: there is no sudo");
        // the checkout may be closed to other accounts
        if (!Files.exists(PERL)) {
            assertThat(command(List.of("cp", "-r", LrmRoom.PERL.toString(), PERL.toString())).exit)
                    .isZero();
            assertThat(command(List.of("chmod", "-R", "a+rX", PERL.toString())).exit)
                    .isZero();
        }
    }

    static void tidy() throws IOException, InterruptedException {
        command(List.of("rm", "-rf", PERL.toString()));
    }

    static LrmSettings settings() {
        return LrmSettings.defaults("HTCondor", "condor", PERL)
                .withOptions(Map.of(
                        "condor_bin", BIN.toString(),
                        "condor_config", CONFIG.toString(),
                        "queue_attribute", "JobgateQueue",
                        "project_attribute", "accounting_group",
                        "submit_attributes", "Rank, My.Color"));
    }

    /** What a command did. */
    record Answer(int exit, String out) {}

    static Answer run(String name, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(BIN.resolve(name).toString()));
        words.addAll(List.of(arguments));
        return command(words);
    }

    /** As the account, by setpriv; the configuration is found by the environment. */
    static Answer runAs(String account, String name, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "setpriv",
                "--reuid",
                account,
                "--regid",
                account,
                "--init-groups",
                BIN.resolve(name).toString()));
        words.addAll(List.of(arguments));
        return command(words);
    }

    static Answer command(List<String> words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("CONDOR_CONFIG", CONFIG.toString());
        builder.redirectInput(Path.of("/dev/null").toFile());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), out);
    }
}
