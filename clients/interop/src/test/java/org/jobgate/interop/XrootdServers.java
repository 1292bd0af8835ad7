// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A storage system of Debian's XRootD: a server of files over https that wants tokens (its SciTokens plug-in), and a front that has no
 * files and points to it.
 */
final class XrootdServers implements AutoCloseable {

    /** For whom a token must be meant. */
    static final String AUDIENCE = "https://storage.example.org";

    private static final Path PROGRAM = Path.of("/usr/bin/xrootd");
    private static final String ACCOUNT = "xrootd";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Of that form its library keeps the keys of issuers. */
    private static final String KEEP_KEYS = """
            import json, sqlite3, sys, time
            path, issuer, keys = sys.argv[1:]
            later = int(time.time()) + 864000
            store = sqlite3.connect(path)
            store.execute('create table keycache (issuer text unique primary key not null, keys text not null)')
            kept = json.dumps({'jwks': json.load(open(keys)), 'expires': later, 'next_update': later})
            store.execute('insert into keycache values (?, ?)', (issuer, kept))
            store.commit()
            """;

    private final Path directory;
    private final Programs programs;
    private final List<Process> servers = new ArrayList<>();
    private final int filesPort = Ports.free();
    private final int frontPort = Ports.free();

    private XrootdServers(Path directory) throws IOException {
        this.directory = directory;
        this.programs = new Programs(Files.createDirectories(directory.resolve("said")), Map.of());
    }

    /** Started; the test is left out where they are not installed. */
    static XrootdServers need(Path folder, Gateway gateway) throws IOException, InterruptedException {
        assumeTrue(
                Files.isExecutable(PROGRAM),
                "SKIPPED: no " + PROGRAM + " (Debian: xrootd-server xrootd-plugins xrootd-server-plugins"
                        + " xrootd-scitokens-plugins)");
        assumeTrue(System.getProperty("user.name").equals("root"), "SKIPPED: XRootD gets an account by root only");
        XrootdServers made = new XrootdServers(Files.createDirectory(folder.resolve(ACCOUNT)));
        try {
            made.start(gateway);
            return made;
        } catch (IOException | InterruptedException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private void start(Gateway gateway) throws IOException, InterruptedException {
        Files.copy(gateway.hostCertificate(), directory.resolve("host.pem"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(gateway.hostKey(), directory.resolve("host.key"), StandardCopyOption.REPLACE_EXISTING);
        Path cache = Files.createDirectories(directory.resolve("cache/scitokens"));
        programs.runWell(List.of(
                "python3",
                "-c",
                KEEP_KEYS,
                cache.resolve("scitokens_cpp.sqllite").toString(),
                TestIssuers.ISSUER,
                gateway.issuers().publicKeys().toString()));
        Files.writeString(
                directory.resolve("issuers.cfg"),
                "[Global]\naudience = %s\n[Issuer interop]\nissuer = %s\nbase_path = /store\n"
                        .formatted(AUDIENCE, TestIssuers.ISSUER));
        Files.createFile(directory.resolve("nobody"));
        Files.createDirectories(directory.resolve("files/store"));
        String common = """
                xrd.port %2$d
                xrd.protocol http:%2$d libXrdHttp.so
                all.export /store
                oss.localroot %1$s/%3$s
                all.adminpath %1$s/run-%3$s
                all.pidpath %1$s/run-%3$s
                xrd.tls %1$s/host.pem %1$s/host.key
                xrd.tlsca certdir %4$s
                http.header2cgi Authorization authz
                """;
        Path trust = directory.resolve("authorities");
        programs.runWell(List.of("cp", "-rL", gateway.trustDirectory().toString(), trust.toString()));
        Files.writeString(
                directory.resolve("files.cfg"),
                common.formatted(directory, filesPort, "files", trust)
                        + "ofs.authorize 1\nofs.authlib libXrdAccSciTokens.so config=%1$s/issuers.cfg\nacc.authdb %1$s/nobody\n"
                                .formatted(directory));
        Files.createDirectories(directory.resolve("front"));
        Files.writeString(
                directory.resolve("front.cfg"),
                common.formatted(directory, frontPort, "front", trust)
                        + "http.desthttps yes\nxrootd.redirect localhost:%d all /store\n".formatted(filesPort));
        programs.runWell(List.of("chown", "-R", ACCOUNT, directory.toString()));
        for (Path above = directory.getParent(); above != null && above.getNameCount() > 1; above = above.getParent()) {
            programs.runWell(List.of("chmod", "a+x", above.toString()));
        }
        serve("files");
        serve("front");
        try {
            await().atMost(PATIENCE).until(() -> listens(filesPort) && listens(frontPort));
        } catch (ConditionTimeoutException e) {
            throw new IOException("XRootD does not listen: " + said("files") + said("front"), e);
        }
    }

    private void serve(String name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + ACCOUNT,
                        "--regid=" + ACCOUNT,
                        "--clear-groups",
                        PROGRAM.toString(),
                        "-c",
                        directory.resolve(name + ".cfg").toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile());
        builder.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        servers.add(builder.start());
    }

    private static boolean listens(int port) throws IOException {
        String wanted = ":%04X ".formatted(port);
        return Files.readString(Path.of("/proc/net/tcp")).contains(wanted)
                || Files.readString(Path.of("/proc/net/tcp6")).contains(wanted);
    }

    /** At the server that has the files. */
    String files(String name) {
        return "https://localhost:" + filesPort + "/store/" + name;
    }

    /** At the front. */
    String front(String name) {
        return "https://localhost:" + frontPort + "/store/" + name;
    }

    void put(String name, byte[] content) throws IOException, InterruptedException {
        Path file = Files.write(directory.resolve("files/store/" + name), content);
        programs.runWell(List.of("chown", ACCOUNT, file.toString()));
    }

    byte[] get(String name) throws IOException {
        return Files.readAllBytes(directory.resolve("files/store/" + name));
    }

    boolean has(String name) {
        return Files.exists(directory.resolve("files/store/" + name));
    }

    private String said(String name) throws IOException {
        return Files.readString(directory.resolve(name + ".log"));
    }

    @Override
    public void close() {
        servers.forEach(Process::destroy);
        for (Process server : servers) {
            try {
                if (!server.waitFor(10, TimeUnit.SECONDS)) {
                    server.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                server.destroyForcibly();
            }
        }
    }
}
