// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code jobgate proxy get} at Debian's MyProxy server, and a job with what it gave. */
@ExtendWith(OneGateway.class)
class MyProxyIT {

    private static final Path SERVER = Path.of("/usr/sbin/myproxy-server");
    private static final Path INIT = Path.of("/usr/bin/myproxy-init");
    private static final String PASSPHRASE = "interop secret";

    private final Gateway gateway;

    @TempDir
    Path folder;

    MyProxyIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return socket.getLocalPort();
        }
    }

    /** With -d it stays in the foreground, serves one client and ends. */
    private Process serverForOne(int port) throws Exception {
        Path log = Files.createTempFile(folder, "server-", ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        SERVER.toString(),
                        "-d",
                        "-c",
                        folder.resolve("server.conf").toString(),
                        "-s",
                        folder.resolve("store").toString(),
                        "-l",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port),
                        "-P",
                        folder.resolve("pid").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "X509_CERT_DIR", gateway.trustDirectory().toString(),
                        "X509_USER_CERT", gateway.hostCertificate().toString(),
                        "X509_USER_KEY", gateway.hostKey().toString()));
        Process server = builder.start();
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> Files.readString(log).contains("using storage directory") && listens(port));
        return server;
    }

    /** Connecting would use up its one client. */
    private static boolean listens(int port) throws IOException {
        String wanted = ":%04X 00000000:0000 0A".formatted(port);
        return Files.readString(Path.of("/proc/net/tcp")).contains(wanted);
    }

    private Programs.Result with(int port, Path input, List<String> command) throws Exception {
        Process server = serverForOne(port);
        try {
            Map<String, String> environment = new HashMap<>(Map.of(
                    "HOME", folder.toString(),
                    "X509_CERT_DIR", gateway.trustDirectory().toString(),
                    "MYPROXY_SERVER", "localhost",
                    "MYPROXY_SERVER_PORT", Integer.toString(port)));
            environment.put("MYPROXY_SERVER_DN", "/O=Jobgate Trial/CN=localhost");
            return new Programs(folder, environment).run(command, input);
        } finally {
            if (!server.waitFor(10, TimeUnit.SECONDS)) {
                server.destroy();
            }
        }
    }

    private List<String> get(Path out) {
        return new ArrayList<>(List.of(
                Checkout.directory().resolve("bin/jobgate").toString(),
                "proxy",
                "get",
                "--user",
                "interop",
                "--hours",
                "2",
                "--passphrase-stdin",
                "--out",
                out.toString()));
    }

    @Test
    void aProxyThatWasLeftThereIsFetchedAndAJobRunsWithIt() throws Exception {
        assumeTrue(Files.isExecutable(SERVER), "SKIPPED: no " + SERVER + " (Debian: myproxy-server)");
        assumeTrue(Files.isExecutable(INIT), "SKIPPED: no " + INIT + " (Debian: myproxy)");
        Files.writeString(
                folder.resolve("server.conf"),
                "accepted_credentials \"*\"\nauthorized_retrievers \"*\"\ndefault_retrievers \"*\"\n");
        Files.createDirectory(
                folder.resolve("store"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path secret = Files.writeString(folder.resolve("secret"), PASSPHRASE + "\n");
        Path wrong = Files.writeString(folder.resolve("wrong"), "another one\n");
        Path proxy = folder.resolve("fetched.pem");
        int port = freePort();

        Programs.Result left = with(
                port,
                secret,
                List.of(
                        INIT.toString(),
                        "-S",
                        "-l",
                        "interop",
                        "-C",
                        gateway.userCertificate().toString(),
                        "-y",
                        gateway.userCertificate().resolveSibling("userkey.pem").toString()));
        assertThat(left.status()).as(left.output()).isZero();

        Programs.Result refused = with(port, wrong, get(proxy));
        assertThat(refused.status()).as(refused.output()).isEqualTo(1);
        assertThat(refused.output()).contains("refused:", "invalid credential passphrase");
        assertThat(proxy).doesNotExist();

        Programs.Result fetched = with(port, secret, get(proxy));
        assertThat(fetched.status()).as(fetched.output()).isZero();
        assertThat(fetched.output()).doesNotContain(PASSPHRASE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(proxy)))
                .isEqualTo("rw-------");

        Programs.Result done = new Programs(
                        folder,
                        Map.of(
                                "X509_USER_PROXY", proxy.toString(),
                                "X509_CERT_DIR", gateway.trustDirectory().toString()))
                .run(List.of(
                        Checkout.directory().resolve("bin/globusrun-ws").toString(),
                        "-submit",
                        "-F",
                        "localhost:" + gateway.port(),
                        "-c",
                        "/bin/true"));
        assertThat(done.status()).as(done.output()).isZero();
    }
}
