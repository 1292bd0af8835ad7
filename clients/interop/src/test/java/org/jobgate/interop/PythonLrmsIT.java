// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The Python client with real batch systems: functions, and a program over values, run as jobs of HTCondor and Slurm, as an account of their own. By
 * hand, for it takes minutes: {@code -Djobgate.python.tasks=N}, where N more functions are run at once on each. What the tests said, with the time
 * that those took, is in {@code target/python-LRM.txt}.
 */
class PythonLrmsIT {

    private static final int NO_PACKAGES = 77;
    private static final String ACCOUNT = SeparateAccounts.ACCOUNTS.getFirst();
    private static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    private static final Path CONDOR = LAB.resolve("htcondor/etc/condor_config");
    private static final Path SLURM = LAB.resolve("slurm/etc/slurm.conf");
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private static final String TASKS = System.getProperty("jobgate.python.tasks", "");

    @Test
    void functionsRunOnEachBatchSystem() throws Exception {
        assumeTrue(!TASKS.isEmpty(), "SKIPPED: it takes minutes; by hand with -Djobgate.python.tasks=8 or more");
        Map<String, String> lrms = new HashMap<>();
        if (Files.isReadable(CONDOR)) {
            lrms.put(
                    "HTCondor",
                    ", { name: HTCondor, adapter: condor, spool: \"~/.jobgate/%s-condor\", options: [ condor_bin="
                            + LAB.resolve("htcondor/root/usr/bin") + ", condor_config=" + CONDOR + " ] }");
        }
        if (Files.isReadable(SLURM)) {
            lrms.put(
                    "Slurm",
                    ", { name: Slurm, adapter: slurm, spool: \"~/.jobgate/%s-slurm\", options: [ slurm_conf=" + SLURM
                            + ", poll_interval=1 ] }");
        }
        assumeTrue(!lrms.isEmpty(), "SKIPPED: neither HTCondor nor Slurm of docker/lab is there");
        try (SeparateAccounts site = SeparateAccounts.start("", String.join("", lrms.values()))) {
            for (String lrm : lrms.keySet()) {
                Programs.Result result = functions(site, lrm);
                Files.writeString(Checkout.file("target/python-" + lrm + ".txt"), result.output());
                assumeTrue(
                        result.status() != NO_PACKAGES,
                        () -> "SKIPPED: no packages for the Python client: " + result.output());
                assertThat(result.status()).as(lrm + ": " + result.output()).isZero();
                assertThat(result.output())
                        .as(lrm)
                        .containsPattern("[3-9] passed")
                        .doesNotContain(" failed");
            }
        }
    }

    private static Programs.Result functions(SeparateAccounts site, String lrm) throws Exception {
        Map<String, String> environment = new HashMap<>(site.clientOf(ACCOUNT).environment());
        environment.put("JOBGATE_URL", "https://localhost:" + site.port());
        environment.put("JOBGATE_LRM", lrm);
        environment.put("JOBGATE_TASKS", TASKS);
        List<String> command = new ArrayList<>();
        command.add(Checkout.directory().resolve("clients/python/check").toString());
        command.addAll(List.of("tests/test_gateway.py", "-s", "-k", "functions or over_values"));
        return new Programs(site.directory, environment).run(command, PATIENCE);
    }
}
