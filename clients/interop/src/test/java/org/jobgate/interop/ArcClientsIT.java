// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Clients of ARC's REST interface that others wrote, as they ship them: Debian's commands of ARC 6.17, pyarcrest 0.5. */
@ExtendWith(OneGateway.class)
class ArcClientsIT {

    private static final String PROGRAM =
            "#!/bin/sh\necho \"[$1] [$2] $FOO\"\ncat in/data.txt data.txt 2>/dev/null\nexit 0\n";

    /** Where ARC's commands are: a site that has another release of them elsewhere tries that. */
    private static final Path COMMANDS = Path.of(System.getProperty("jobgate.arcCommands", "/usr/bin"));

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Gateway gateway;

    @TempDir
    Path directory;

    ArcClientsIT(Gateway gateway) {
        this.gateway = gateway;
    }

    @BeforeEach
    void files() throws Exception {
        Files.writeString(directory.resolve("run.sh"), PROGRAM);
        Files.writeString(directory.resolve("data.txt"), "data\n");
        // where ARC's commands keep their list of jobs; they do not make it
        Files.createDirectory(directory.resolve(".arc"));
    }

    private Programs programs() {
        return new Programs(
                directory,
                Map.of(
                        "X509_CERT_DIR", gateway.trustDirectory().toString(),
                        "X509_USER_PROXY", gateway.proxy().toString(),
                        "HOME", directory.toString()));
    }

    @Test
    void pyarcrestBringsFilesRunsAJobAndFetchesWhatItWrote() throws Exception {
        String python = PythonEnvironment.with(programs(), "src/test/arc/requirements.txt", "target/pyarcrest");
        String said = programs()
                .runWell(List.of(
                        python,
                        "-W",
                        "ignore",
                        Checkout.file("src/test/arc/one_job.py").toString(),
                        "https://localhost:" + gateway.port(),
                        gateway.proxy().toString(),
                        directory.toString()));
        assertThat(said.lines())
                .containsExactly(
                        "versions ['1.0', '1.1']",
                        "delegated True",
                        "submitted ACCEPTING",
                        "ended FINISHED 0 FINISHED",
                        "of True",
                        "files ['out.txt', 'run.sh', 'stderr']",
                        "wrote [a  b] [it's \"q\"] bar",
                        "data",
                        "cleaned True",
                        "left False False");
    }

    @Test
    void aDescriptionWhoseDelegationIsNotTheCallersIsRefusedForTheJob() throws Exception {
        String said = programs()
                .runWell(List.of(
                        "curl",
                        "--silent",
                        "--show-error",
                        "--cert",
                        gateway.proxy().toString(),
                        "--capath",
                        gateway.trustDirectory().toString(),
                        "--header",
                        "Accept: application/json",
                        "--data-binary",
                        "&(executable=/bin/true)",
                        "https://localhost:" + gateway.port() + "/arex/rest/1.1/jobs?action=new&delegation_id=never"));
        assertThat(said).contains("\"status-code\":\"403\"", "never").doesNotContain("\"id\":");
    }

    private Programs.Result arc(String command, String... arguments) throws Exception {
        Path settings = directory.resolve("client.conf");
        Files.writeString(
                settings,
                "[common]\nproxypath=" + gateway.proxy() + "\ncacertificatesdirectory=" + gateway.trustDirectory()
                        + "\n");
        List<String> all = new ArrayList<>(List.of(COMMANDS.resolve(command).toString(), "-z", settings.toString()));
        all.addAll(List.of(arguments));
        return programs().run(all);
    }

    @Test
    void arcsCommandsSubmitWatchFetchAndClean() throws Exception {
        for (String command : List.of("arcsub", "arcstat", "arccat", "arcget", "arcls", "arckill", "arcclean")) {
            assumeTrue(
                    Files.isExecutable(COMMANDS.resolve(command)),
                    "SKIPPED: no " + command
                            + " (Debian: nordugrid-arc-client nordugrid-arc-plugins-arcrest nordugrid-arc-plugins-needed)");
        }
        Path description = directory.resolve("job.xrsl");
        Files.writeString(
                description,
                "&(executable=run.sh)(arguments=\"a b\" \"c\")(environment=(\"FOO\" \"bar\"))"
                        + "(inputfiles=(\"run.sh\" \"%1$s/run.sh\")(\"data.txt\" \"%1$s/data.txt\"))(stdout=out.txt)(stderr=err.txt)"
                                .formatted(directory)
                        + "(jobname=\"first\")(outputfiles=(\"out.txt\" \"\"))");
        // it looks at /info, and chooses by it
        Programs.Result submitted = arc(
                "arcsub",
                "-C",
                "https://localhost:" + gateway.port() + "/arex",
                "-T",
                "org.nordugrid.arcrest",
                description.toString());
        assertThat(submitted.output()).contains("Job submitted with jobid: https://localhost:");
        String job = submitted
                .output()
                .substring(submitted.output().indexOf("jobid: ") + 7)
                .strip();
        await().atMost(PATIENCE).until(() -> arc("arcstat", job).output().contains("State: Finished"));
        assertThat(arc("arcstat", "-l", job).output()).contains("Name: first", "Exit Code: 0");
        assertThat(arc("arccat", job).output()).isEqualTo("[a b] [c] bar\ndata\n");
        assertThat(arc("arccat", "-l", job).output()).contains("Job state change");
        assertThat(arc("arcls", job + "/session/").output()).contains("out.txt");
        Path fetched = directory.resolve("fetched");
        Programs.Result got = arc("arcget", "-D", fetched.toString(), job);
        assertThat(got.output()).contains("successfully retrieved: 1");
        Path result = fetched.resolve(job.substring(job.lastIndexOf('/') + 1));
        assertThat(Files.readString(result.resolve("out.txt"))).isEqualTo("[a b] [c] bar\ndata\n");
        assertThat(arc("arcstat", job).output()).doesNotContain("State:");
    }

    /** It looks at what the service says that it has, and submits nowhere else. */
    @Test
    void arcsubSubmitsAJobThatAsksForARuntimeEnvironmentOfTheSite() throws Exception {
        assumeTrue(Files.isExecutable(COMMANDS.resolve("arcsub")), "SKIPPED: no arcsub");
        Path apps = Files.createDirectories(gateway.directory().resolve("environments/APPS"));
        Path program = Files.writeString(apps.resolve("GREETING-1.0"), "#!/bin/sh\necho \"$1\" >ready\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(apps.resolve("GREETING-1.0.env"), "GREETING=hello world\n");
        Path description = directory.resolve("greeting.xrsl");
        Files.writeString(
                description,
                "&(executable=/bin/sh)(arguments=\"-c\" \"cat ready; echo $GREETING\")(stdout=out.txt)(jobname=greeting)"
                        + "(runtimeenvironment=\"APPS/GREETING-1.0\" \"loud\")");
        String job = submitted(description);
        await().atMost(PATIENCE).until(() -> arc("arcstat", job).output().contains("State: Finished"));
        assertThat(arc("arccat", job).output()).isEqualTo("loud\nhello world\n");
        Path other = directory.resolve("other.xrsl");
        Files.writeString(other, "&(executable=/bin/true)(jobname=other)(runtimeenvironment=\"APPS/GREETING-2.0\")");
        assertThat(arc(
                                "arcsub",
                                "-C",
                                "https://localhost:" + gateway.port() + "/arex",
                                "-T",
                                "org.nordugrid.arcrest",
                                other.toString())
                        .output())
                .doesNotContain("jobid:");
    }

    private String submitted(Path description) throws Exception {
        String said = arc(
                        "arcsub",
                        "-C",
                        "https://localhost:" + gateway.port() + "/arex",
                        "-T",
                        "org.nordugrid.arcrest",
                        description.toString())
                .output();
        assertThat(said).contains("jobid: https://localhost:");
        return said.substring(said.indexOf("jobid: ") + 7).strip();
    }

    @Test
    void arcsCommandsRenewKillFindAndTestJobsAndCopyTheirFiles() throws Exception {
        for (String command :
                List.of("arcsub", "arcrenew", "arccp", "arcrm", "arckill", "arcresume", "arcsync", "arctest")) {
            assumeTrue(
                    Files.isExecutable(COMMANDS.resolve(command)),
                    "SKIPPED: no " + command
                            + " (Debian: nordugrid-arc-client nordugrid-arc-plugins-arcrest nordugrid-arc-plugins-needed)");
        }
        Path description = directory.resolve("long.xrsl");
        Files.writeString(
                description,
                "&(executable=/bin/sleep)(arguments=300)(jobname=long)(stdout=out.txt)(inputfiles=(\"data.txt\" \"%s/data.txt\"))"
                        .formatted(directory));
        String job = submitted(description);
        assertThat(arc("arcrenew", job).output()).contains("renewed: 1");
        Path copy = directory.resolve("copy.txt");
        assertThat(arc("arccp", job + "/session/data.txt", copy.toString()).status())
                .isZero();
        assertThat(Files.readString(copy)).isEqualTo("data\n");
        assertThat(arc("arccp", copy.toString(), job + "/session/deep/new.txt").status())
                .isZero();
        assertThat(arc("arcls", job + "/session/deep/").output()).contains("new.txt");
        assertThat(arc("arcrm", job + "/session/deep/new.txt").status()).isZero();
        assertThat(arc("arcls", job + "/session/deep/").output()).doesNotContain("new.txt");
        assertThat(arc("arckill", job).output()).contains("successfully killed: 1");
        await().atMost(PATIENCE).until(() -> arc("arcstat", job).output().contains("State: Killed"));
        // of jobs that were killed it asks for nothing
        Path failing = directory.resolve("failing.xrsl");
        Files.writeString(failing, "&(executable=/bin/false)(jobname=failing)");
        String failed = submitted(failing);
        await().atMost(PATIENCE).until(() -> arc("arcstat", failed).output().contains("State: Failed"));
        assertThat(arc("arcresume", failed).output()).contains("resumed: 1");
        // what it knows of its jobs is lost, and it asks the gateway
        Files.delete(directory.resolve(".arc/jobs.dat"));
        String found = arc(
                        "arcsync",
                        "-f",
                        "-C",
                        "https://localhost:" + gateway.port() + "/arex",
                        "-T",
                        "org.nordugrid.arcrest")
                .output();
        assertThat(found).contains(job);
        await().atMost(PATIENCE).until(() -> arc("arcclean", job).output().contains("deleted: 1"));
        assertThat(arc(
                                "arctest",
                                "-J",
                                "2",
                                "-C",
                                "https://localhost:" + gateway.port() + "/arex",
                                "-T",
                                "org.nordugrid.arcrest")
                        .output())
                .contains("Job submitted with jobid: https://localhost:");
    }
}
