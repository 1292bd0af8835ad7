// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
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

/** {@code jobgate proxy get} and {@code renew} at Debian's MyProxy server, and jobs with what it gave. */
@ExtendWith(OneGateway.class)
class MyProxyIT {

    private static final Path SERVER = Path.of("/usr/sbin/myproxy-server");
    private static final Path INIT = Path.of("/usr/bin/myproxy-init");
    private static final String PASSPHRASE = "interop secret";

    private static final String HOST = "/O=Jobgate Trial/CN=localhost";
    private static final String WAITS_FOR_A_NEW_PROXY =
            "p=$X509_USER_PROXY; cp \"$p\" \"$0\"; n=6000; while cmp -s \"$0\" \"$p\"; do n=$((n-1)); test $n -gt 0 || exit 1; sleep 0.1; done";

    private final Gateway gateway;

    @TempDir
    Path folder;

    MyProxyIT(Gateway gateway) {
        this.gateway = gateway;
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
        await().atMost(Duration.ofMinutes(3))
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
            environment.put("MYPROXY_SERVER_DN", HOST);
            return new Programs(folder, environment).run(command, input);
        } finally {
            if (!server.waitFor(3, TimeUnit.MINUTES)) {
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

    /** @param rules who may have what, in the words of the server's configuration */
    private void prepareServer(String rules) throws IOException {
        assumeTrue(Files.isExecutable(SERVER), "SKIPPED: no " + SERVER + " (Debian: myproxy-server)");
        assumeTrue(Files.isExecutable(INIT), "SKIPPED: no " + INIT + " (Debian: myproxy)");
        Files.writeString(folder.resolve("server.conf"), "accepted_credentials \"*\"\n" + rules);
        Files.createDirectory(
                folder.resolve("store"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private List<String> leave(String... how) {
        List<String> words = new ArrayList<>(List.of(INIT.toString(), "-l", "interop"));
        words.addAll(List.of(
                "-C",
                gateway.userCertificate().toString(),
                "-y",
                gateway.userCertificate().resolveSibling("userkey.pem").toString()));
        words.addAll(List.of(how));
        return words;
    }

    private String as(Path proxy, String program, String... words) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin").resolve(program).toString()));
        command.addAll(List.of(words));
        return new Programs(
                        folder,
                        Map.of(
                                "X509_USER_PROXY", proxy.toString(),
                                "X509_CERT_DIR", gateway.trustDirectory().toString()))
                .runWell(command);
    }

    private static List<String> renew(Path proxy, Path certificate, Path key) {
        return List.of(
                Checkout.directory().resolve("bin/jobgate").toString(),
                "proxy",
                "renew",
                "--user",
                "interop",
                "--hours",
                "3",
                "--file",
                proxy.toString(),
                "--cert",
                certificate.toString(),
                "--privkey",
                key.toString());
    }

    @Test
    void theProxyOfAJobThatRunsIsRenewedByOneWhoMay() throws Exception {
        prepareServer("authorized_renewers \"" + HOST + "\"\n");
        Path proxy = folder.resolve("proxy.pem");
        Path credential = folder.resolve("credential.epr");
        int port = Ports.free();
        Programs.Result left = with(port, Path.of("/dev/null"), leave("-x", "-R", HOST));
        assertThat(left.status()).as(left.output()).isZero();
        as(
                proxy,
                "jobgate",
                "proxy",
                "init",
                "--hours",
                "1",
                "--cert",
                gateway.userCertificate().toString(),
                "--out",
                proxy.toString());
        String shortOne = Files.readString(proxy);
        String service = Integer.toString(gateway.port());
        as(proxy, "globus-credential-delegate", "-h", "localhost", "-p", service, credential.toString());
        String job = folder.resolve("job.epr").toString();
        as(
                proxy,
                "globusrun-ws",
                "-submit",
                "-batch",
                "-o",
                job,
                "-Jf",
                credential.toString(),
                "-F",
                "localhost:" + service,
                "-c",
                "/bin/sh",
                "-c",
                WAITS_FOR_A_NEW_PROXY,
                folder.resolve("first-proxy").toString());
        await().atMost(Duration.ofMinutes(4)).until(() -> Files.exists(folder.resolve("first-proxy")));

        Path userKey = gateway.userCertificate().resolveSibling("userkey.pem");
        Programs.Result refused = with(port, Path.of("/dev/null"), renew(proxy, gateway.userCertificate(), userKey));
        assertThat(refused.status()).as(refused.output()).isEqualTo(1);
        assertThat(refused.output()).contains("refused:");
        assertThat(Files.readString(proxy)).isEqualTo(shortOne);

        Programs.Result renewed =
                with(port, Path.of("/dev/null"), renew(proxy, gateway.hostCertificate(), gateway.hostKey()));
        assertThat(renewed.status()).as(renewed.output()).isZero();
        assertThat(Integer.parseInt(as(proxy, "jobgate", "proxy", "info", "--print", "timeleft")
                        .strip()))
                .isGreaterThan(2 * 3600);
        List<String> shorter = new ArrayList<>(renew(proxy, gateway.hostCertificate(), gateway.hostKey()));
        shorter.set(shorter.indexOf("--hours") + 1, "2");
        Programs.Result pointless = with(port, Path.of("/dev/null"), shorter);
        assertThat(pointless.status()).as(pointless.output()).isEqualTo(1);
        assertThat(pointless.output()).contains("nothing was changed");
        as(proxy, "globus-credential-refresh", "-e", credential.toString());
        assertThat(as(proxy, "globusrun-ws", "-monitor", "-j", job)).contains("Done");
    }

    /** The job ends only when its own copy of the proxy was renewed: by a manager at the server, and then by it at the gateway. */
    @Test
    void iceRenewsTheProxyOfAJobThatRuns() throws Exception {
        prepareServer("authorized_renewers \"" + HOST + "\"\n");
        Path proxy = folder.resolve("proxy.pem");
        int port = Ports.free();
        Programs.Result left = with(port, Path.of("/dev/null"), leave("-x", "-R", HOST));
        assertThat(left.status()).as(left.output()).isZero();
        as(
                proxy,
                "jobgate",
                "proxy",
                "init",
                "--hours",
                "1",
                "--cert",
                gateway.userCertificate().toString(),
                "--out",
                proxy.toString());
        Path script = Files.writeString(folder.resolve("waits.sh"), WAITS_FOR_A_NEW_PROXY.replace("\"$0\"", "\"$1\""));
        Path jdl = Files.writeString(
                folder.resolve("job.jdl"),
                "Executable = \"/bin/sh\"; Arguments = \"" + script + " " + folder.resolve("first-proxy") + "\";");
        Path queue = folder.resolve("queue");
        Map<String, String> nobody = Map.of(
                "X509_CERT_DIR", gateway.trustDirectory().toString(),
                "HOME", folder.toString());
        Map<String, String> renewer = new HashMap<>(nobody);
        renewer.put("X509_USER_CERT", gateway.hostCertificate().toString());
        renewer.put("X509_USER_KEY", gateway.hostKey().toString());
        IceCommand ice = new IceCommand(new Programs(folder, nobody), queue);
        ice.good(
                "submit",
                "-r",
                IceCommand.queue(gateway),
                "-p",
                proxy.toString(),
                "-m",
                "interop@localhost:" + port,
                jdl.toString());
        Process unable = ice.start("--poll", "1");
        try {
            await().atMost(Duration.ofMinutes(4)).until(() -> Files.exists(folder.resolve("first-proxy")));
        } finally {
            unable.destroyForcibly().waitFor();
        }
        Process server = serverForOne(port);
        Process manager = new IceCommand(new Programs(folder, renewer), queue)
                .start("--poll", "1", "--renew-before", "7200", "--until-done");
        try {
            assertThat(manager.waitFor(6, TimeUnit.MINUTES))
                    .as(Files.readString(folder.resolve("manager.log")))
                    .isTrue();
        } finally {
            manager.destroy();
            server.destroy();
        }

        assertThat(ice.good("status")).as(ice.good("status", "-a")).isEqualTo("DONE-OK\t1\n");
        assertThat(Files.readString(folder.resolve("manager.log"))).contains("was renewed");
        assertThat(Integer.parseInt(as(proxy, "jobgate", "proxy", "info", "--print", "timeleft")
                        .strip()))
                .isGreaterThan(2 * 3600);
    }

    @Test
    void aProxyThatWasLeftThereIsFetchedAndAJobRunsWithIt() throws Exception {
        prepareServer("authorized_retrievers \"*\"\ndefault_retrievers \"*\"\n");
        Path secret = Files.writeString(folder.resolve("secret"), PASSPHRASE + "\n");
        Path wrong = Files.writeString(folder.resolve("wrong"), "another one\n");
        Path proxy = folder.resolve("fetched.pem");
        int port = Ports.free();

        Programs.Result left = with(port, secret, leave("-S"));
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

        as(proxy, "globusrun-ws", "-submit", "-F", "localhost:" + gateway.port(), "-c", "/bin/true");
    }
}
