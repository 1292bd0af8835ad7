// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A stock HTCondor as a client: its grid type {@code arc}, in a personal pool of an ordinary account. */
@ExtendWith(OneGateway.class)
class CondorGIT {

    private static final String SUBMIT = """
            universe = grid
            grid_resource = arc @URL@
            output = %1$s.out
            error = %1$s.err
            log = %1$s.log
            %2$s
            queue
            """;

    private final Gateway gateway;

    CondorGIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private static final String PROXY = "x509userproxy = @PROXY@\n";

    private static void submitFile(Path directory, String name, String lines) throws Exception {
        Files.writeString(directory.resolve(name + ".sub"), SUBMIT.formatted(name, lines));
    }

    @Test
    void jobsRunAreRemovedAndAreHeldWithOurSentence() throws Exception {
        Path condor = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"))
                .resolve("htcondor/root/usr/sbin/condor_master");
        assumeTrue(
                Files.isExecutable(condor),
                "SKIPPED: there is no " + condor + "; install it with: docker/lab/htcondor up");
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: the pool belongs to another account, which only root can become");
        Path directory = Files.createTempDirectory(
                "jobgate-condor-g-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        try {
            Files.writeString(
                    directory.resolve("run.sh"),
                    "#!/bin/sh\necho \"[$1] [$2] [$3] $FOO\"\necho wrong >&2\ncat data.txt >result.txt\nexit 3\n");
            Files.writeString(directory.resolve("data.txt"), "data\n");
            submitFile(directory, "good", PROXY + """
                    executable = run.sh
                    arguments = "x 'y  z' 'it''s ""q""'"
                    environment = "FOO=bar"
                    transfer_input_files = data.txt
                    transfer_output_files = result.txt
                    batch_queue = fork
                    """);
            submitFile(directory, "refused", PROXY + "executable = run.sh\nbatch_queue = nowhere");
            submitFile(directory, "missing", PROXY + "executable = /bin/nonsense\ntransfer_executable = false");
            submitFile(
                    directory,
                    "remove",
                    PROXY + "executable = /bin/sleep\ntransfer_executable = false\narguments = 300");
            Files.writeString(
                    directory.resolve("token"),
                    gateway.issuers().token("https://localhost:" + gateway.port(), 600) + "\n");
            submitFile(
                    directory,
                    "token",
                    "scitokens_file = " + directory + "/token\nexecutable = run.sh\ntransfer_input_files = data.txt");
            Programs.Result result = gateway.clients()
                    .run(List.of(
                            Checkout.file("src/test/condor-g/pool").toString(),
                            directory.toString(),
                            "https://localhost:" + gateway.port() + "/arex/rest/1.0",
                            gateway.proxy().toString(),
                            gateway.trustDirectory().toString()));
            assertThat(result.status()).as(result.output()).isZero();
            assertThat(Files.readString(directory.resolve("good.log"))).contains("(return value 3)");
            assertThat(Files.readString(directory.resolve("good.out"))).isEqualTo("[x] [y  z] [it's \"q\"] bar\n");
            assertThat(Files.readString(directory.resolve("token.log"))).contains("(return value 3)");
            assertThat(Files.readString(directory.resolve("token.err"))).isEqualTo("wrong\n");
            assertThat(Files.readString(directory.resolve("good.err"))).isEqualTo("wrong\n");
            assertThat(Files.readString(directory.resolve("result.txt"))).isEqualTo("data\n");
            assertThat(Files.readString(directory.resolve("refused.log")))
                    .contains("Job was held", "There is no queue nowhere here. The queues are: fork");
            assertThat(Files.readString(directory.resolve("missing.log")))
                    .contains("Job was held", "ARC job failed: ", "/bin/nonsense");
            assertThat(Files.readString(directory.resolve("remove.log"))).contains("Job was aborted");
        } finally {
            gateway.clients().runWell(List.of("rm", "-rf", directory.toString()));
        }
    }
}
