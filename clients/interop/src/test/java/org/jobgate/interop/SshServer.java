// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** OpenSSH's server on this machine, for accounts with keys that it has given them; {@code ~/.ssh} is as it was when it is closed. */
final class SshServer implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/sbin/sshd");

    private final SeparateAccounts site;
    private final Path directory;
    private final int port;
    private final Process process;
    private final List<String> given = new ArrayList<>();

    private SshServer(SeparateAccounts site, Path directory, int port, Process process) {
        this.site = site;
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    /** Started; the test is left out where there is none. */
    static SshServer need(SeparateAccounts site) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(PROGRAM), "SKIPPED: no " + PROGRAM + " (Debian: openssh-server)");
        Path directory = Files.createTempDirectory("jobgate-it-sshd-");
        site.well("chmod", "755", directory.toString());
        site.well("mkdir", "-p", "/run/sshd");
        site.well(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                directory.resolve("host").toString());
        int port = Ports.free();
        Files.writeString(directory.resolve("config"), """
                Port %1$d
                ListenAddress 127.0.0.1
                HostKey %2$s/host
                PidFile none
                AuthorizedKeysFile %2$s/%%u.pub
                StrictModes no
                UsePAM yes
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                Subsystem sftp internal-sftp
                """.formatted(port, directory));
        Process process = new ProcessBuilder(
                        PROGRAM.toString(),
                        "-D",
                        "-e",
                        "-f",
                        directory.resolve("config").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        SshServer server = new SshServer(site, directory, port, process);
        await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return true;
            }
        });
        return server;
    }

    /** The account gets a key pair and knows this server; what it had before is put aside. */
    void giveKeys(String account) throws IOException, InterruptedException {
        given.add(account);
        String known = Files.readString(directory.resolve("host.pub")).strip();
        Programs.Result done = site.as(
                account,
                "cd " + site.home(account) + " && if [ -e .ssh ]; then mv .ssh .ssh.aside; fi && mkdir -m 700 .ssh"
                        + " && ssh-keygen -q -t ed25519 -N '' -f .ssh/id_ed25519 && echo '[localhost]:" + port + " "
                        + known
                        + "' > .ssh/known_hosts && cat .ssh/id_ed25519.pub");
        if (done.status() != 0) {
            throw new IOException("no keys for " + account + ": " + done.output());
        }
        Files.writeString(directory.resolve(account + ".pub"), done.output());
    }

    String url(Path file) {
        return "sftp://localhost:" + port + file;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (String account : given) {
            site.as(
                    account,
                    "cd " + site.home(account)
                            + " && rm -rf .ssh && if [ -e .ssh.aside ]; then mv .ssh.aside .ssh; fi");
        }
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        site.well("rm", "-rf", directory.toString());
    }
}
