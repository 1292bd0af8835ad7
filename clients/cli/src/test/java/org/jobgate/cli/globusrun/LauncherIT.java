// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.stub.GramStub;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the real {@code bin/globusrun-ws}. With the environment variable {@code JOBGATE_IT_CONTACT} (and X509_USER_PROXY,
 * X509_CERT_DIR) it talks to that service; else to the stub. Tests that look into the stub skip with a real service.
 */
class LauncherIT {
    private static final String LINE_JOB = "Job ID: uuid:[0-9a-f-]{36}";
    private static final String LINE_TIME = "Termination time: \\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d GMT";

    @TempDir
    static Path shared;

    private static TrialCertificates certificates;

    @TempDir
    Path folder;

    private final GramStub.Behaviour behaviour = new GramStub.Behaviour();
    private final Map<String, String> environment = new HashMap<>();
    private String contact = "";
    private @Nullable GramStub stub;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    @BeforeEach
    void service() throws Exception {
        String real = System.getenv("JOBGATE_IT_CONTACT");
        if (real != null) {
            contact = real;
            return;
        }
        stub = new GramStub(certificates.serverContext(), behaviour);
        contact = stub.contact();
        environment.put("X509_USER_PROXY", certificates.proxy().toString());
        environment.put("X509_CERT_DIR", certificates.trust().toString());
    }

    @AfterEach
    void end() throws IOException {
        if (stub != null) {
            stub.close();
        }
    }

    private record Result(int status, List<String> out, String errors) {}

    private Process start(String... words) throws IOException {
        return startOther("globusrun-ws", words);
    }

    private Process startOther(String name, String... words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("jobgate.root"), "bin", name).toString());
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private Result run(String... words) throws IOException, InterruptedException {
        return finish(start(words));
    }

    private Result finish(Process process) throws IOException, InterruptedException {
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).as("ends in time").isTrue();
        return new Result(
                process.exitValue(),
                Files.readAllLines(folder.resolve("out")),
                Files.readString(folder.resolve("errors")));
    }

    private GramStub needsStub() {
        assumeTrue(stub != null, "looks into the stub: skipped with JOBGATE_IT_CONTACT");
        return requireNonNull(stub);
    }

    @Test
    void printsGtsLinesForAJobThatEndsWell() throws Exception {
        Result result = run("-submit", "-F", contact, "-c", "/bin/true");
        assertThat(result.errors()).isEmpty();
        assertThat(result.status()).isZero();
        assertThat(result.out().getFirst()).isEqualTo("Submitting job...Done.");
        assertThat(result.out().get(1)).matches(LINE_JOB);
        assertThat(result.out().get(2)).matches(LINE_TIME);
        assertThat(result.out())
                .filteredOn(line -> line.startsWith("Current"))
                .last()
                .isEqualTo("Current job state: Done");
        assertThat(result.out().getLast()).isEqualTo("Destroying job...Done.");
    }

    @Test
    void passesTheJobsExitCodeOn() throws Exception {
        assertThat(run("-submit", "-q", "-F", contact, "-c", "/bin/sh", "-c", "exit 37"))
                .isEqualTo(new Result(37, List.of(), ""));
    }

    @Test
    void saysWhyAJobFailed() throws Exception {
        Result result = run("-submit", "-F", contact, "-c", "/no-such/program");
        assertThat(result.status()).isNotZero();
        assertThat(result.out()).contains("Current job state: Failed", "Destroying job...Done.");
        assertThat(result.errors()).startsWith("globusrun-ws: Job failed: ").hasSizeGreaterThan(40);
    }

    @Test
    void sendsArgumentsUnbroken() throws Exception {
        GramStub service = needsStub();
        List<String> arguments = List.of(
                "two words",
                "",
                "'single' \"double\"",
                "$HOME `id` \\n",
                "line\nbreak\ttab\rreturn",
                "Grüße 日本 😀",
                "<a>&amp;]]></a>",
                "-c",
                "--",
                " edges ",
                "@file",
                "*");
        List<String> words = new ArrayList<>(List.of("-submit", "-F", contact, "-c", "/bin/echo"));
        words.addAll(arguments);
        environment.put("LC_ALL", "C");
        assertThat(run(words.toArray(String[]::new)).status()).isZero();
        String request = service.requests("createManagedJob").getFirst();
        XmlElement envelope = XmlElement.read(new ByteArrayInputStream(request.getBytes(StandardCharsets.UTF_8)));
        XmlElement body = requireNonNull(envelope.child(Names.SOAP, "Body"));
        XmlElement create = requireNonNull(body.child(Names.JOB, "createManagedJob"));
        XmlElement job = requireNonNull(create.child(Names.DESCRIPTION, "job"));
        assertThat(job.children().stream()
                        .filter(part -> part.name().equals("argument"))
                        .map(XmlElement::text))
                .containsExactlyElementsOf(arguments);
    }

    @Test
    void argumentsReachARealProcessUnbroken() throws Exception {
        assumeTrue(stub == null, "needs a service that runs jobs: set JOBGATE_IT_CONTACT");
        // the job may run as another account than this test
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path out = folder.resolve("arguments");
        String script = "out=$1; shift; printf '%s\\0' \"$@\" > \"$out\"";
        List<String> arguments =
                List.of("two words", "", "'\"", "$HOME `id`", "line\nbreak\rreturn", "Grüße 日本", "<&>");
        List<String> words =
                new ArrayList<>(List.of("-submit", "-F", contact, "-c", "/bin/sh", "-c", script, "sh", out.toString()));
        words.addAll(arguments);
        assertThat(run(words.toArray(String[]::new)).status()).isZero();
        assertThat(Files.readString(out)).isEqualTo(String.join("\0", arguments) + "\0");
    }

    @Test
    void refusesBytesThatAreNoText() throws Exception {
        Path script = folder.resolve("bad");
        Files.writeString(script, "exec \"$@\" \"$(printf 'a\\377b')\"\n");
        Process process = new ProcessBuilder(
                        "/bin/sh",
                        script.toString(),
                        System.getProperty("jobgate.root") + "/bin/globusrun-ws",
                        "-submit",
                        "-F",
                        contact,
                        "-c",
                        "/bin/echo")
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        Result result = finish(process);
        assertThat(result.status()).isEqualTo(ExitStatus.USAGE.code());
        assertThat(result.errors()).contains("Argument 1 is not text");
    }

    @Test
    void aBatchJobIsAskedForReleasedAndKilledByItsFile() throws Exception {
        String epr = folder.resolve("job.epr").toString();
        Result submitted = run("-submit", "-b", "-o", epr, "-F", contact, "-c", "/bin/sleep", "300");
        assertThat(submitted.status()).isZero();
        assertThat(submitted.out()).hasSize(4);
        assertThat(submitted.out().getLast()).matches("Job resource: [0-9A-Za-z-]+");
        Awaitility.await()
                .atMost(4, TimeUnit.MINUTES)
                .untilAsserted(
                        () -> assertThat(run("-status", "-j", epr).out()).containsExactly("Current job state: Active"));
        assertThat(run("-kill", "-j", epr).out())
                .containsExactly("Requesting original job description...Done.", "Destroying job...Done.");
        Result gone = run("-status", "-j", epr);
        assertThat(gone.status()).isEqualTo(ExitStatus.REFUSED.code());
        assertThat(gone.errors()).startsWith("globusrun-ws: Error querying job state");
    }

    @Test
    void batchWithoutFilePrintsTheEprAloneOnStdout() throws Exception {
        Result result = run("-submit", "-b", "-F", contact, "-c", "/bin/true");
        assertThat(result.out()).singleElement().asString().startsWith("<ns00:EndpointReferenceType ");
        assertThat(result.errors()).contains("Submitting job...Done.");
        Path epr = folder.resolve("later.epr");
        Files.write(epr, result.out());
        Result monitored = run("-monitor", "-j", epr.toString());
        assertThat(monitored.status()).isZero();
        assertThat(monitored.out()).contains("Current job state: Done").endsWith("Destroying job...Done.");
    }

    @Test
    void anInterruptCancelsTheJob() throws Exception {
        Process process = start("-submit", "-F", contact, "-c", "/bin/sleep", "300");
        awaitOutput("Current job state: Active");
        process.destroy();
        Result result = finish(process);
        assertThat(result.out().getLast()).isEqualTo("Canceling...Canceled.");
        assertThat(result.status()).isEqualTo(143);
    }

    @Test
    void anInterruptLeavesTheJobWithNoCleanup() throws Exception {
        GramStub service = needsStub();
        Process process = start("-submit", "-n", "-F", contact, "-c", "/bin/sleep", "300");
        awaitOutput("Current job state: Active");
        process.destroy();
        assertThat(finish(process).status()).isEqualTo(143);
        assertThat(service.requests("Destroy")).isEmpty();
    }

    private void awaitOutput(String line) {
        Awaitility.await()
                .atMost(4, TimeUnit.MINUTES)
                .until(() -> Files.readAllLines(folder.resolve("out")).contains(line));
    }

    @Test
    void worksWithoutACacheAndWithABrokenOne() throws Exception {
        environment.put("JOBGATE_CACHE", "/proc/no-such-folder");
        assertThat(run("-submit", "-F", contact, "-c", "/bin/true").status()).isZero();
        Path cache = Files.createDirectory(folder.resolve("cache"));
        environment.put("JOBGATE_CACHE", cache.toString());
        for (Path jdk : jdks()) {
            Files.writeString(cache.resolve("globusrun-ws-" + version(jdk) + ".aot"), "not a cache");
        }
        Result result = run("-submit", "-F", contact, "-c", "/bin/true");
        assertThat(result.errors()).isEmpty();
        assertThat(result.out().getFirst()).isEqualTo("Submitting job...Done.");
        assertThat(result.status()).isZero();
    }

    private static List<Path> jdks() throws IOException {
        try (var folders = Files.list(Path.of("/usr/lib/jvm"))) {
            return folders.filter(jdk -> Files.exists(jdk.resolve("release"))).toList();
        }
    }

    private static String version(Path jdk) throws IOException {
        return Files.readAllLines(jdk.resolve("release")).stream()
                .filter(line -> line.startsWith("JAVA_VERSION="))
                .map(line -> line.substring(14, line.length() - 1))
                .findFirst()
                .orElse("none");
    }

    @Test
    void theFirstUseBuildsTheCacheInTheBackground() throws Exception {
        Path cache = Files.createDirectory(folder.resolve("cache"));
        environment.put("JOBGATE_CACHE", cache.toString());
        assertThat(run("-version").status()).isZero();
        Awaitility.await().atMost(4, TimeUnit.MINUTES).untilAsserted(() -> {
            try (var files = Files.list(cache)) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .singleElement()
                        .asString()
                        .matches("globusrun-ws-.*\\.(aot|jsa)");
            }
        });
        assertThat(run("-submit", "-F", contact, "-c", "/bin/true").status()).isZero();
    }

    @Test
    void refusesWhatIsNotThereYetWithASentence() throws Exception {
        Result result = finish(startOther("globus-job-run-ws", "-s", contact, "/bin/true"));
        assertThat(result.status()).isEqualTo(ExitStatus.USAGE.code());
        assertThat(result.errors()).contains("this command brings no files");
    }

    @Test
    void companionsRunOnTheSameLauncher() throws Exception {
        Result submitted = finish(startOther("globus-job-submit-ws", contact, "/bin/sleep", "a  b", "*"));
        assertThat(submitted.errors()).isEmpty();
        String handle = submitted.out().getFirst();
        Result state = finish(startOther("wsrf-get-property", "-v", "-e", handle, "types:state"));
        assertThat(state.out())
                .singleElement()
                .asString()
                .isIn("Unsubmitted", "Pending", "Active", "CleanUp", "Failed");
        if (stub != null) {
            assertThat(stub.requests("createManagedJob").getFirst()).contains("<argument>a  b</argument>", ">*<");
        }
        assertThat(finish(startOther("globus-job-clean-ws", "-f", handle)).status())
                .isZero();
        assertThat(finish(startOther("wsrf-query", "-frob")).status()).isEqualTo(ExitStatus.USAGE.code());
    }
}
