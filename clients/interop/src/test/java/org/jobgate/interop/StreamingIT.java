// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code globusrun-ws -s} with a real gateway and real jobs: what it shows is compared byte by byte with what the job wrote. */
@ExtendWith(OneGateway.class)
class StreamingIT {

    /**
     * Writes random bytes to both streams in odd portions for so many seconds, and a copy of both to files; if a third file is named, only
     * until that is there.
     */
    static final String WRITER = """
            use Time::HiRes qw(sleep time);
            my ($seconds, @copies) = @ARGV;
            open my $out, '>:raw', $copies[0] or die;
            open my $err, '>:raw', $copies[1] or die;
            binmode $_ for *STDOUT, *STDERR;
            srand 11;
            my $end = time + $seconds;
            while (time < $end and not (@copies > 2 and -e $copies[2])) {
                for my $pair ([*STDOUT, $out], [*STDERR, $err]) {
                    my $bytes = join '', map { chr int rand 256 } 1 .. int rand(rand() < 0.1 ? 60000 : 300);
                    syswrite $_, $bytes for @$pair;
                }
                sleep rand 0.05;
            }
            """;

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    @TempDir
    Path folder;

    private Path script() throws IOException {
        return Files.writeString(folder.resolve("writer.pl"), WRITER);
    }

    private static List<String> globusrun(String... words) {
        List<String> command = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/globusrun-ws").toString()));
        command.addAll(List.of(words));
        return command;
    }

    private Process start(Gateway gateway, String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .redirectError(folder.resolve(name + ".err").toFile());
        builder.environment()
                .putAll(Map.of(
                        "X509_USER_PROXY", gateway.proxy().toString(),
                        "X509_CERT_DIR", gateway.trustDirectory().toString()));
        return builder.start();
    }

    /** Waits for this; a process that has ended by itself will not bring it about any more. */
    private static void awaitWhile(Process process, Callable<Boolean> condition) {
        await().atMost(PATIENCE)
                .failFast("the command has ended", () -> !process.isAlive())
                .until(condition);
    }

    private int end(Process process) throws InterruptedException {
        if (!process.waitFor(8, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1);
    }

    private static String contact(Gateway gateway) {
        return "localhost:" + gateway.port();
    }

    @Test
    void nothingIsMissingOrTwiceWhileConnectionsAreCutAndTheGatewayRestarts(Gateway gateway) throws Exception {
        try (CuttingRelay relay = new CuttingRelay(gateway.port(), 200_000, 1500, 5)) {
            Path copyOut = folder.resolve("copy.out");
            Path copyErr = folder.resolve("copy.err");
            Path end = folder.resolve("end");
            Path description = Files.writeString(
                    folder.resolve("writer.xml"),
                    "<job><executable>/usr/bin/perl</executable><directory>" + folder + "</directory><argument>"
                            + script()
                            + "</argument><argument>1800</argument><argument>" + copyOut + "</argument><argument>"
                            + copyErr
                            + "</argument><argument>" + end
                            + "</argument></job>");
            Process submit = start(
                    gateway,
                    "submit",
                    globusrun(
                            "-submit",
                            "-b",
                            "-s",
                            "-o",
                            folder.resolve("job.epr").toString(),
                            "-F",
                            contact(gateway),
                            "-f",
                            description.toString()));
            assertThat(end(submit)).as(text("submit.err")).isZero();
            Path epr = folder.resolve("job.epr");
            // from here on everything goes through the relay
            Files.writeString(epr, Files.readString(epr).replace(":" + gateway.port() + "/", ":" + relay.port() + "/"));
            Process monitor = start(
                    gateway,
                    "monitor",
                    globusrun(
                            "-monitor",
                            "-s",
                            "-se",
                            folder.resolve("stderr").toString(),
                            "-sf",
                            "copy.out=" + folder.resolve("followed"),
                            "-j",
                            epr.toString()));
            awaitWhile(monitor, () -> relay.cuts() > 5);
            gateway.restart();
            int before = relay.cuts();
            awaitWhile(monitor, () -> relay.cuts() > before + 10 && Files.size(copyOut) > 1_000_000);
            Files.createFile(end);
            assertThat(end(monitor)).as(text("monitor.err")).isZero();
            assertThat(text("monitor.err")).contains("Current job state: Done").doesNotContain("cannot");
            assertThat(Files.mismatch(folder.resolve("monitor.out"), copyOut)).isEqualTo(-1);
            assertThat(Files.mismatch(folder.resolve("stderr"), copyErr)).isEqualTo(-1);
            // any other file is followed as the output is
            assertThat(Files.mismatch(folder.resolve("followed"), copyOut)).isEqualTo(-1);
        }
    }

    @Test
    void whatTheJobWritesIsShownWhileItRunsAndItsFilesAreRemoved(Gateway gateway) throws Exception {
        Path gate = folder.resolve("gate");
        Process run = start(
                gateway,
                "run",
                globusrun(
                        "-submit",
                        "-s",
                        "-F",
                        contact(gateway),
                        "-c",
                        "/bin/sh",
                        "-c",
                        "echo first; echo complaint >&2; " + WaitingJobs.until("\"$0\"") + "; echo last; exit 3",
                        gate.toString()));
        awaitWhile(run, () -> text("run.out").equals("first\n"));
        assertThat(text("run.out")).isEqualTo("first\n");
        assertThat(run.isAlive()).isTrue();
        Files.createFile(gate);
        assertThat(end(run)).as(text("run.err")).isEqualTo(3);
        assertThat(text("run.out")).isEqualTo("first\nlast\n");
        assertThat(text("run.err"))
                .contains("complaint\n")
                .contains("Current job state: CleanUp-Hold\n")
                .contains("Current job state: Done\n")
                .contains("Destroying job...Done.\n");
        String id = text("run.err")
                .lines()
                .filter(line -> line.startsWith("Job ID: uuid:"))
                .findFirst()
                .orElseThrow()
                .substring("Job ID: uuid:".length());
        Path home = Path.of(System.getProperty("user.home"));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(home.resolve(id + ".stdout")).doesNotExist();
            assertThat(home.resolve(id + ".stderr")).doesNotExist();
        });
    }

    /** The whole conversation in the names of GT 4.2, with the real gateway. */
    @Test
    void jobsAreSubmittedShownHeldReleasedAndEndedInGt42(Gateway gateway) throws Exception {
        Process run = start(
                gateway,
                "run",
                globusrun(
                        "-submit",
                        "-protocol",
                        "4.2",
                        "-s",
                        "-dbg",
                        "-F",
                        contact(gateway),
                        "-c",
                        "/bin/sh",
                        "-c",
                        "echo shown; exit 4"));
        assertThat(end(run)).as(text("run.err")).isEqualTo(4);
        assertThat(text("run.out")).isEqualTo("shown\n");
        // -dbg shows the messages of the Destroy before its end
        assertThat(text("run.err"))
                .contains("Destroying job...")
                .endsWith("Done.\n")
                .doesNotContain("/2004/");
        String epr = folder.resolve("job.epr").toString();
        assertThat(end(start(
                        gateway,
                        "batch",
                        globusrun(
                                "-submit",
                                "-protocol",
                                "4.2",
                                "-b",
                                "-o",
                                epr,
                                "-F",
                                contact(gateway),
                                "-c",
                                "/bin/sleep",
                                "600"))))
                .isZero();
        for (String command : List.of("-status", "-release", "-kill")) {
            Process process = start(gateway, "one", globusrun(command, "-dbg", "-j", epr));
            // GT 4.2 has a fault for a release of what is not held
            assertThat(end(process)).as(text("one.err")).isEqualTo(command.equals("-release") ? 252 : 0);
            assertThat(text("one.err")).doesNotContain("/2004/");
        }
    }

    @Test
    void filesThatTheDescriptionNamesAreShownAndKeptAndAppendedTo(Gateway gateway) throws Exception {
        Path out = folder.resolve("named.out");
        Files.writeString(out, "of yesterday\n");
        Path description = Files.writeString(
                folder.resolve("job.xml"),
                "<job><executable>/bin/sh</executable><directory>" + folder + "</directory><argument>-c</argument>"
                        + "<argument>sleep 1; echo today; echo both &gt;&amp;2</argument>"
                        + "<stdout>named.out</stdout><stderr>named.out</stderr></job>");
        Path here = Files.writeString(folder.resolve("here"), "before\n");
        Process run = start(
                gateway,
                "run",
                globusrun("-submit", "-so", here.toString(), "-F", contact(gateway), "-f", description.toString()));
        assertThat(end(run)).as(text("run.err")).isZero();
        // one file for both streams is shown once, and what lay there before the job is not its output
        assertThat(here).hasContent("before\ntoday\nboth\n");
        assertThat(text("run.out")).isEmpty();
        assertThat(out).hasContent("today\nboth\n");
    }

    @Test
    void aJobThatCannotStartEndsAsWithoutStreaming(Gateway gateway) throws Exception {
        Process run =
                start(gateway, "run", globusrun("-submit", "-s", "-F", contact(gateway), "-c", "/no/such/program"));
        assertThat(end(run)).isEqualTo(251);
        assertThat(text("run.err"))
                .contains("Job failed:")
                .contains("/no/such/program")
                .doesNotContain("cannot be shown");
        assertThat(text("run.out")).isEmpty();
    }

    @Test
    void anInterruptCancelsTheJobAndRemovesItsFiles(Gateway gateway) throws Exception {
        Process run = start(
                gateway,
                "run",
                globusrun(
                        "-submit", "-s", "-F", contact(gateway), "-c", "/bin/sh", "-c", "echo begun; exec sleep 600"));
        awaitWhile(run, () -> text("run.out").equals("begun\n"));
        run.destroy();
        end(run);
        assertThat(text("run.err")).contains("Canceling...Canceled.");
        String id = text("run.err")
                .lines()
                .filter(line -> line.startsWith("Job ID: uuid:"))
                .findFirst()
                .orElseThrow()
                .substring("Job ID: uuid:".length());
        Path output = Path.of(System.getProperty("user.home"), id + ".stdout");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(output).doesNotExist());
    }
}
