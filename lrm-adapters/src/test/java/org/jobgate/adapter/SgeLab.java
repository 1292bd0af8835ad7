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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The Grid Engine of {@code docker/lab/sge}, below {@code JOBGATE_LAB} or its default; and what is needed to run jobs there as its account. */
final class SgeLab {

    static final String ACCOUNT = "jobgate-a";
    private static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    static final String PORT = System.getenv().getOrDefault("JOBGATE_LAB_SGE_PORT", "6444");
    private static final Path ROOT = LAB.resolve("sge/cell");
    static final Path BIN = LAB.resolve("sge/root/usr/lib/gridengine");
    /** The commands that the adapter calls. */
    static final List<String> COMMANDS = List.of("qsub", "qstat", "qdel", "qacct", "qconf", "qselect");

    static final Path ACCOUNTING = ROOT.resolve("default/common/accounting");
    private static final Path PERL =
            Path.of("/tmp/jobgate-sge-perl-" + ProcessHandle.current().pid());

    private SgeLab() {}

    /** Skips the test if the master does not answer or we may not run jobs as its account. */
    static void need() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: jobs in the Grid Engine lab are run as " + ACCOUNT + ", which only root may");
        assumeTrue(
                Files.isExecutable(BIN.resolve("qstat")) && run("qstat").exit() == 0,
                "SKIPPED: the Grid Engine lab at " + LAB + " does not answer; bring it up with: docker/lab/sge up");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/sudo")), "SKIPPED: there is no sudo");
        // the checkout may be closed to other accounts
        if (!Files.exists(PERL)) {
            assertThat(command(List.of("cp", "-r", LrmRoom.PERL.toString(), PERL.toString()))
                            .exit())
                    .isZero();
            assertThat(command(List.of("chmod", "-R", "a+rX", PERL.toString())).exit())
                    .isZero();
        }
    }

    static void tidy() throws IOException, InterruptedException {
        command(List.of("rm", "-rf", PERL.toString()));
    }

    static LrmSettings settings() {
        return LrmSettings.defaults("GridEngine", "sge", PERL)
                .withOptions(Map.of(
                        "sge_bin", BIN.toString(),
                        "sge_root", ROOT.toString(),
                        "sge_cell", "default",
                        "sge_qmaster_port", PORT,
                        "sge_execd_port", String.valueOf(Integer.parseInt(PORT) + 1),
                        "poll_interval", "1",
                        "pe", "smp",
                        "mpi_pe", "mpi",
                        "submit_options", "p r h m l:arch"));
    }

    /** The same with some options changed. */
    static LrmSettings settings(Map<String, String> changed) {
        Map<String, String> options = new HashMap<>(settings().options());
        options.putAll(changed);
        return settings().withOptions(options);
    }

    /** What a command did. */
    record Answer(int exit, String out) {}

    /** As root, who is a manager of the lab's Grid Engine. */
    static Answer run(String name, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(BIN.resolve(name).toString()));
        words.addAll(List.of(arguments));
        return command(words);
    }

    /** A line of shell of the test's own, as the account. */
    static Answer shAs(String account, String line) throws IOException, InterruptedException {
        return command(
                List.of("setpriv", "--reuid", account, "--regid", account, "--init-groups", "/bin/sh", "-c", line));
    }

    static Answer command(List<String> words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("SGE_ROOT", ROOT.toString());
        builder.environment().put("SGE_CELL", "default");
        builder.environment().put("SGE_QMASTER_PORT", PORT);
        builder.environment().put("SGE_EXECD_PORT", String.valueOf(Integer.parseInt(PORT) + 1));
        builder.redirectInput(Path.of("/dev/null").toFile());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), out);
    }
}
