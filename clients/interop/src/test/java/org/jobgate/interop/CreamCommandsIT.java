// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The commands glite-ce-* before the real service. */
@ExtendWith(OneGateway.class)
class CreamCommandsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Gateway gateway;

    @TempDir
    Path folder;

    CreamCommandsIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private Programs.Result run(String command, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/glite-ce-" + command).toString()));
        all.addAll(List.of(words));
        return gateway.clients().run(all);
    }

    private String good(String command, String... words) throws Exception {
        Programs.Result result = run(command, words);
        assertThat(result.status()).as(command + ": " + result.output()).isZero();
        return result.output();
    }

    private String contact() {
        return gateway.services().replaceAll("^https://([^/]*)/.*$", "$1");
    }

    /** The whole way of a user: delegate, submit with a file of one's own, look, fetch, purge. */
    @Test
    void aJobWithFilesOfItsOwnIsSubmittedWatchedFetchedAndPurged() throws Exception {
        Path program = Files.writeString(
                folder.resolve("run.sh"),
                "#!/bin/sh\ncat data; echo \"$@\"; echo one > part1; echo two > part2; exit 3\n");
        Path data = Files.writeString(folder.resolve("data"), "brought\n");
        Path jdl = Files.writeString(
                folder.resolve("job.jdl"),
                "Executable = \"run.sh\"; Arguments = \"1 '2 3'\"; StdOutput = \"out\"; StdError = \"err\";\n"
                        + "InputSandbox = { \"" + program + "\", \"" + data + "\" };\n"
                        + "OutputSandbox = { \"out\", \"part*\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\";\n");
        Path ids = folder.resolve("ids");
        good("delegate-proxy", "-e", contact(), "mine");
        String job = good(
                        "job-submit",
                        "-n",
                        "-D",
                        "mine",
                        "-r",
                        contact() + "/cream-fork-default",
                        "-o",
                        ids.toString(),
                        jdl.toString())
                .strip();
        assertThat(job).matches("https://" + contact() + "/CREAM[0-9]{9}");

        await().atMost(PATIENCE)
                .until(() -> good("job-status", "-i", ids.toString()).contains("[DONE-"));

        assertThat(good("job-status", job)).contains("Status        = [DONE-OK]", "ExitCode      = [3]");
        assertThat(good("job-status", "-L", "2", job))
                .contains("JOB_REGISTER", "JOB_START", "[REGISTERED]", "JDL            = [");
        assertThat(good("job-list", contact())).contains(job);
        good("job-output", "-n", "-D", folder.toString(), job);
        Path output = folder.resolve(job.replace("https://", "").replaceAll("[/:]", "_"));
        assertThat(output.resolve("out")).hasContent("brought\n1 2 3");
        assertThat(output.resolve("part1")).hasContent("one");
        assertThat(output.resolve("part2")).hasContent("two");
        assertThat(good("event-query", "-e", contact(), "0-")).contains(job);
        good("job-purge", "-N", job);
        await().atMost(PATIENCE).until(() -> !good("job-list", contact()).contains(job));
    }

    @Test
    void aJobIsCancelledAndALeaseAndTheServiceAreShown() throws Exception {
        Path jdl = Files.writeString(folder.resolve("job.jdl"), "Executable = \"/bin/sleep\"; Arguments = \"300\";");
        assertThat(good("job-lease", "-e", contact(), "-T", "600", "ours")).contains("negotiated the lease time to [");
        String job = good("job-submit", "-a", "-L", "ours", "-r", contact() + "/cream-fork-default", jdl.toString())
                .strip();
        await().atMost(PATIENCE).until(() -> good("job-status", job).contains("RUNNING]"));

        good("job-suspend", "-N", job);
        await().atMost(PATIENCE).until(() -> good("job-status", job).contains("[HELD]"));
        good("job-resume", "-N", job);
        await().atMost(PATIENCE).until(() -> good("job-status", job).contains("RUNNING]"));
        assertThat(good("job-status", "-L", "1", job)).contains("JOB_SUSPEND", "JOB_RESUME");
        good("job-cancel", "-N", job);

        await().atMost(PATIENCE).until(() -> good("job-status", job).contains("[CANCELLED]"));
        assertThat(good("service-info", contact())).contains("Submission enabled = [YES]");
        assertThat(good("allowed-submission", contact())).contains("is enabled");
        for (String order : List.of("disable-submission", "enable-submission")) {
            Programs.Result refused = run(order, contact());
            assertThat(refused.status()).as(order).isEqualTo(1);
            assertThat(refused.output()).contains("MethodName=[", "administrator");
        }
        good("delegate-proxy", "-e", contact(), "renewed");
        good("proxy-renew", "-e", contact(), "renewed");
        Programs.Result nothing = run("proxy-renew", "-e", contact(), "never-delegated");
        assertThat(nothing.status()).isEqualTo(1);
        Programs.Result unknown = run("job-cancel", "-N", "https://" + contact() + "/CREAM000000000");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.output()).contains("MethodName=[");
    }
}
