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
import org.junit.jupiter.api.io.TempDir;

/** A delegated credential, and the proxy of a job made from it, over a kill of the service. */
class DelegationCrashIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String CREDENTIAL_PATH =
            "{http://www.globus.org/namespaces/2004/10/gram/job/exec}credentialPath";

    @TempDir
    Path folder;

    private static String command(Gateway gateway, String name, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/" + name).toString()));
        all.addAll(List.of(words));
        return gateway.clients().runWell(all);
    }

    private static Path proxyOf(Gateway gateway, String job) throws Exception {
        String answer = command(gateway, "wsrf-get-property", "-e", job, CREDENTIAL_PATH);
        assertThat(answer).contains("proxy.pem");
        return Path.of(answer.replaceFirst("(?s)^.*?(/[^<>\\s]*proxy\\.pem).*$", "$1"));
    }

    @Test
    void theVaultAndTheJobsProxySurviveAKillAndARefreshAfterwardsReachesTheJob() throws Exception {
        String credential = folder.resolve("credential.epr").toString();
        String job = folder.resolve("job.epr").toString();
        try (Gateway gateway = Gateway.start()) {
            String port = Integer.toString(gateway.port());
            command(gateway, "globus-credential-delegate", "-h", "localhost", "-p", port, credential);
            command(
                    gateway,
                    "globusrun-ws",
                    "-submit",
                    "-batch",
                    "-o",
                    job,
                    "-Jf",
                    credential,
                    "-F",
                    "localhost:" + port,
                    "-Ft",
                    Gateway.LRM,
                    "-c",
                    "/bin/sleep",
                    "600");
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(proxyOf(gateway, job)).isNotEmptyFile());
            Path proxy = proxyOf(gateway, job);
            String before = Files.readString(proxy);
            assertThat(before).contains("BEGIN CERTIFICATE");

            gateway.kill();
            gateway.startAgain();

            assertThat(proxyOf(gateway, job)).isEqualTo(proxy).isNotEmptyFile();
            command(gateway, "globus-credential-refresh", "-e", credential);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Files.readString(proxy)).isNotEqualTo(before));

            command(gateway, "wsrf-destroy", "-e", job);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(proxy).doesNotExist());
        }
    }
}
