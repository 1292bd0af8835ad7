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

/** The Slurm of {@code docker/lab/slurm}, below {@code JOBGATE_LAB} or its default; and what is needed to run jobs there as its account. */
final class SlurmLab {

    static final String ACCOUNT = "jobgate-a";
    static final Path BIN = Path.of("/usr/bin");
    private static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    static final Path CONFIG = LAB.resolve("slurm/etc/slurm.conf");
    private static final Path PERL =
            Path.of("/tmp/jobgate-slurm-perl-" + ProcessHandle.current().pid());

    private SlurmLab() {}

    /** Skips the test if the controller does not answer or we may not run jobs as its account. */
    static void need() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: jobs in the Slurm lab are run as " + ACCOUNT + ", which only root may");
        assumeTrue(
                Files.isExecutable(BIN.resolve("squeue"))
                        && run("scontrol", "ping").out.contains("is UP"),
                "SKIPPED: the Slurm lab at " + LAB + " does not answer; bring it up with: docker/lab/slurm up");
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
        return settings(BIN, CONFIG);
    }

    /** With the commands of a directory and this configuration of Slurm. */
    static LrmSettings settings(Path bin, Path config) {
        return LrmSettings.defaults("Slurm", "slurm", PERL)
                .withOptions(Map.of(
                        "slurm_bin",
                        bin.toString(),
                        "slurm_conf",
                        config.toString(),
                        "poll_interval",
                        "1",
                        "submit_options",
                        "constraint nice job-name wait-all-nodes begin"));
    }

    /** What a command did. */
    record Answer(int exit, String out) {}

    static Answer run(String name, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(BIN.resolve(name).toString()));
        words.addAll(List.of(arguments));
        return command(words);
    }

    /** As the account, by setpriv. */
    static Answer runAs(String account, String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("setpriv", "--reuid", account, "--regid", account, "--init-groups"));
        all.addAll(List.of(words));
        return command(all);
    }

    static Answer command(List<String> words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("SLURM_CONF", CONFIG.toString());
        builder.environment().put("TZ", "UTC");
        builder.redirectInput(Path.of("/dev/null").toFile());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), out);
    }
}
