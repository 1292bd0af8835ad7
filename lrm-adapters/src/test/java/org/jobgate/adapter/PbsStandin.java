// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A stand-in for TORQUE or OpenPBS of its own ({@code docker/lab/pbs-standin}), for as long as a test class runs. Root lets an account of the lab submit,
 * where there is one; others submit as themselves.
 */
final class PbsStandin implements AutoCloseable {

    static final String ACCOUNT = account();
    private static final Path PROGRAM =
            Path.of("../docker/lab/pbs-standin/pbs-standin").toAbsolutePath().normalize();

    final String dialect;
    final Path directory;
    private final Process server;

    PbsStandin(String dialect, String... settings) throws IOException, InterruptedException {
        this.dialect = dialect;
        this.directory = Files.createTempDirectory("jobgate-pbs-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        // the checkout may be closed to other accounts
        command(List.of(
                "cp", "-r", LrmRoom.PERL.toString(), directory.resolve("perl").toString()));
        command(List.of("chmod", "-R", "a+rX", directory.resolve("perl").toString()));
        List<String> words = new ArrayList<>(List.of(PROGRAM.toString(), "serve", home().toString(), dialect));
        words.addAll(List.of(settings));
        File log = directory.resolve("log").toFile();
        this.server = new ProcessBuilder(words)
                .redirectOutput(log)
                .redirectErrorStream(true)
                .start();
        for (int i = 0; i < 1_200 && Files.notExists(home().resolve("socket")); i++) {
            assertThat(server.isAlive()).as("the stand-in of %s lives", dialect).isTrue();
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(home().resolve("socket"))
                .as("the stand-in of %s listens", dialect)
                .exists();
    }

    private static String account() {
        String own = System.getProperty("user.name");
        boolean isRoot = own.equals("root") && Files.isExecutable(Path.of("/usr/bin/sudo"));
        try {
            return isRoot && Files.readString(Path.of("/etc/passwd")).contains("\njobgate-a:") ? "jobgate-a" : own;
        } catch (IOException e) {
            return own;
        }
    }

    private Path home() {
        return directory.resolve("pbs");
    }

    Path bin() {
        return home().resolve("bin");
    }

    LrmSettings settings() {
        return LrmSettings.defaults("PBS", "pbs", directory.resolve("perl"))
                .withOptions(Map.of(
                        "pbs_bin", bin().toString(),
                        "poll_interval", "1",
                        "record_grace", "3",
                        "submit_resources", "software"));
    }

    LrmSettings with(Map<String, String> options) {
        Map<String, String> all = new HashMap<>(settings().options());
        all.putAll(options);
        return settings().withOptions(all);
    }

    /** What a command did. */
    record Answer(int exit, String out) {}

    /** As whoever runs the tests: a manager of the stand-in. */
    Answer run(String name, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(bin().resolve(name).toString()));
        words.addAll(List.of(arguments));
        return command(words);
    }

    void control(String... words) throws IOException, InterruptedException {
        assertThat(run("control", words).exit).isZero();
    }

    /** What a command leaves that is killed while it writes its request. */
    void leaveInTheMiddle() throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(home().resolve("socket")))) {
            channel.write(ByteBuffer.wrap(new byte[] {0, 0, 1}));
        }
    }

    /** The attributes of a job as qstat shows them, folded values in one line. */
    Map<String, String> attributes(String id) throws IOException, InterruptedException {
        Answer answer = run("qstat", "-f", id);
        assertThat(answer.exit).as(answer.out).isZero();
        return answer.out
                .replace("\n\t", "")
                .lines()
                .map(line -> line.strip().split(" = ", 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, second) -> first));
    }

    private static Answer command(List<String> words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), out);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        server.destroy();
        assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
        String log = Files.readString(directory.resolve("log"));
        command(List.of("rm", "-rf", directory.toString()));
        assertThat(log).as("what the stand-in complained of").isEmpty();
    }
}
