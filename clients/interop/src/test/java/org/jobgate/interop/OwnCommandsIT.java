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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Our own commands for many jobs before the real service, and a limited proxy before the whole container. */
@ExtendWith(OneGateway.class)
class OwnCommandsIT {

    private static final int REFUSED = 252;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Gateway gateway;

    @TempDir
    Path folder;

    OwnCommandsIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private Programs.Result run(Programs programs, String command, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/" + command).toString()));
        all.addAll(List.of(words));
        return programs.run(all);
    }

    private String contact() {
        return gateway.services().replaceAll("^https://([^/]*)/.*$", "$1");
    }

    @Test
    void manyJobsAreSubmittedOnceAndListed() throws Exception {
        Path description = Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>/bin/sh</executable><argument>-c</argument><argument>exit ${CODE}</argument></job>");
        Path variables = Files.writeString(folder.resolve("codes"), "CODE=3\nCODE=4\nNONE=5\n");
        String id = "6b8e5b3e-3f4e-4a5e-9d5e-0a1b2c3d4e5f";
        String[] words = {
            "-F", contact(), "-Ft", Gateway.LRM, "-f", description.toString(), "-v", variables.toString(), "-I", id
        };

        Programs.Result first = run(gateway.clients(), "globus-job-submit-many-ws", words);
        Programs.Result again = run(gateway.clients(), "globus-job-submit-many-ws", words);

        assertThat(first.status()).as(first.output()).isEqualTo(REFUSED);
        assertThat(first.output()).contains("uuid:" + id + "/0", "uuid:" + id + "/1", "uuid:" + id + "/2: ", "CODE");
        assertThat(handles(again)).hasSize(2).isEqualTo(handles(first));
        Programs.Result listed = run(gateway.clients(), "globus-job-list-ws", "-F", contact());
        assertThat(listed.status()).as(listed.output()).isZero();
        assertThat(handles(first))
                .allSatisfy(handle -> assertThat(listed.output()).contains(handle));
    }

    @Test
    void aJobsOutputIsFetchedThroughTheGatewayWhileItRunsAndCleanedWithIt() throws Exception {
        Path go = folder.resolve("go");
        Programs.Result submitted = run(
                gateway.clients(),
                "globus-job-submit-ws",
                contact(),
                "/bin/sh",
                "-c",
                "echo first; " + WaitingJobs.until(go) + "; echo last");
        assertThat(submitted.status()).as(submitted.output()).isZero();
        String job = submitted.output().strip();

        await().atMost(PATIENCE)
                .until(() -> run(gateway.clients(), "globus-job-get-output-ws", job)
                        .output()
                        .equals("first\n"));
        Files.createFile(go);
        await().atMost(PATIENCE)
                .until(() -> run(gateway.clients(), "globus-job-get-output-ws", job)
                        .output()
                        .equals("first\nlast\n"));
        Programs.Result cleaned = run(gateway.clients(), "globus-job-clean-ws", "-f", job);

        assertThat(cleaned.status()).as(cleaned.output()).isZero();
        Programs.Result gone = run(gateway.clients(), "globus-job-get-output-ws", job);
        assertThat(gone.status()).as(gone.output()).isNotZero();
    }

    @Test
    void aJobDescribedInJsdlRunsAsOneOfTheOwnLanguage() throws Exception {
        String text = "<j:JobDefinition xmlns:j='http://schemas.ggf.org/jsdl/2005/11/jsdl'"
                + " xmlns:p='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix'><j:JobDescription><j:Application><p:POSIXApplication>"
                + "<p:Executable>/bin/sh</p:Executable><p:Argument>-c</p:Argument><p:Argument>echo \"$0\"; exit 5</p:Argument>"
                + "<p:Argument>two  &lt;words</p:Argument></p:POSIXApplication></j:Application></j:JobDescription></j:JobDefinition>";
        String document = Files.writeString(folder.resolve("job.jsdl"), text).toString();
        String wrong = Files.writeString(folder.resolve("wrong.jsdl"), text.replace("p:Argument", "p:Argumnt"))
                .toString();

        Programs.Result valid = run(gateway.clients(), "globusrun-ws", "-validate", "-f", document);
        Programs.Result job = gateway.globusrun("-submit", "-s", "-q", "-F", contact(), "-f", document);
        Programs.Result refused = gateway.globusrun("-submit", "-F", contact(), "-f", wrong);

        assertThat(valid.status()).as(valid.output()).isZero();
        assertThat(job.status()).as(job.output()).isEqualTo(5);
        assertThat(job.output()).isEqualTo("two  <words\n");
        assertThat(refused.status()).as(refused.output()).isEqualTo(REFUSED);
        assertThat(refused.output())
                .contains("POSIXApplication/jsdl-posix:Argumnt", "did you mean jsdl-posix:Argument");
    }

    private static List<String> handles(Programs.Result result) {
        return result.output()
                .lines()
                .filter(line -> line.startsWith("https://"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    @Test
    void aLimitedProxyMayLookAndNotSubmit() throws Exception {
        Path proxy = folder.resolve("limited.pem");
        Programs.Result made = run(
                gateway.clients(),
                "jobgate",
                "ca",
                "proxy",
                "--limited",
                "--cert",
                gateway.userCertificate().toString(),
                "--out",
                proxy.toString());
        assertThat(made.status()).as(made.output()).isZero();
        Programs limited = new Programs(
                folder,
                Map.of(
                        "X509_USER_PROXY", proxy.toString(),
                        "X509_CERT_DIR", gateway.trustDirectory().toString()));

        Programs.Result listed = run(limited, "globus-job-list-ws", "-F", contact());
        Programs.Result submitted = run(limited, "globusrun-ws", "-submit", "-b", "-F", contact(), "-c", "/bin/true");

        assertThat(listed.status()).as(listed.output()).isZero();
        assertThat(submitted.status()).as(submitted.output()).isEqualTo(REFUSED);
        assertThat(submitted.output())
                .contains("a limited proxy may not start jobs")
                .contains("Use a full proxy");
    }
}
