// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The scripts of HTCondor's blahp, as Debian packs them and the lab's HTCondor has them; with a configuration of its own for each class of tests. */
final class BlahLab {

    static final Path SCRIPTS = HtcondorLab.LAB.resolve("htcondor/root/usr/libexec/blahp");

    private BlahLab() {}

    static void need() {
        assumeTrue(
                Files.isExecutable(SCRIPTS.resolve("slurm_submit.sh")),
                "SKIPPED: there are no scripts of blahp at " + SCRIPTS + "; bring them with: docker/lab/htcondor up");
    }

    static void needTime() {
        assumeTrue(
                Boolean.getBoolean("jobgate.blah.contract"),
                "SKIPPED: the whole contract takes minutes with scripts; run it with -Djobgate.blah.contract=true");
    }

    /** What the adapter of this LRM is set to; the configuration file is written into the directory. */
    static LrmSettings settings(LrmSettings given, String lrms, Path directory) throws IOException {
        Path config = Files.writeString(
                directory.resolve("blah.config"), """
                supported_lrms=slurm,condor
                blah_shared_directories=/
                blah_disable_wn_proxy_renewal=yes
                blah_libexec_directory=%s
                condor_binpath=%s
                slurm_binpath=%s
                """.formatted(SCRIPTS, HtcondorLab.BIN, SlurmLab.BIN));
        Map<String, String> options = new HashMap<>();
        options.put("lrms", lrms);
        options.put("blah_libexec", SCRIPTS.toString());
        options.put("blah_config", config.toString());
        options.put("blah_environment", "SLURM_CONF=" + SlurmLab.CONFIG + " CONDOR_CONFIG=" + HtcondorLab.CONFIG);
        // each slot of the lab's HTCondor has one processor: a job that asks for more of them waits for ever
        if (lrms.equals("condor")) {
            options.put("processors", "one");
        }
        options.put("poll_interval", "1");
        options.put("record_seconds", "5");
        options.put("gone_after_cancel", "5");
        return LrmSettings.defaults("Blah", "blah", given.perlDirectory()).withOptions(options);
    }
}
