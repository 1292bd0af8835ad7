// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.SlashName;

/** A test CA with a host and simulated users, each with a certificate and a proxy of its own, made by {@code jobgate ca}. */
final class LabCertificates {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String USER = "perf";

    private final String program;
    private final Path directory;
    private final Commands commands;
    private final int users;

    /**
     * Those that {@link #make} will make.
     *
     * @param program {@code jobgate}
     * @param directory where they go
     * @param users how many, at least one
     */
    LabCertificates(String program, Path directory, int users) {
        this.program = requireNonNull(program, "program is null");
        this.directory = requireNonNull(directory, "directory is null");
        this.commands = new Commands(directory.resolveSibling("ca.log"), Map.of(), TIMEOUT);
        this.users = users;
    }

    /** Makes all. */
    void make() throws IOException, InterruptedException {
        ca("init", "--dir", directory.toString());
        makeHost("rsa");
        for (int i = 0; i < users; i++) {
            makeUser(user(i));
        }
    }

    /** Makes the host's certificate and key, in the place of those that are there. */
    void makeHost(String kind) throws IOException, InterruptedException {
        ca(
                "host",
                "--dir",
                directory.toString(),
                "--key",
                kind,
                "--out",
                directory.resolve("host").toString());
    }

    private void makeUser(String name) throws IOException, InterruptedException {
        Path own = directory.resolve(name);
        ca("user", "--dir", directory.toString(), "--out", own.toString(), name);
        ca(
                "proxy",
                "--cert",
                own.resolve("usercert.pem").toString(),
                "--out",
                proxy(name).toString());
    }

    private void ca(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program, "ca"));
        command.addAll(List.of(arguments));
        commands.run(command);
    }

    private static String user(int number) {
        return number == 0 ? USER : USER + "-" + (number + 1);
    }

    private Path proxy(String name) {
        return directory.resolve(name).resolve("proxy.pem");
    }

    /** The users' proxies; the first is that of who is alone where there is one only. */
    List<Path> proxies() {
        return IntStream.range(0, users).mapToObj(i -> proxy(user(i))).toList();
    }

    /** The first user's certificate and key, without a proxy. */
    Credential firstUser() throws IOException, GeneralSecurityException {
        Path own = directory.resolve(USER);
        return Credential.read(own.resolve("usercert.pem"), own.resolve("userkey.pem"));
    }

    /** Makes the proxy of one more user, whom the grid-mapfile does not name. */
    Path proxyOfStranger() throws IOException, InterruptedException {
        makeUser("stranger");
        return proxy("stranger");
    }

    /** Maps every user to this account. */
    String gridMapfile(String account) throws IOException, GeneralSecurityException {
        StringBuilder lines = new StringBuilder();
        for (Path proxy : proxies()) {
            X509Certificate user = Credential.read(proxy).chain().getLast();
            lines.append('"')
                    .append(SlashName.of(user.getSubjectX500Principal()))
                    .append("\" ")
                    .append(account)
                    .append('\n');
        }
        return lines.toString();
    }

    Path hostCertificate() {
        return directory.resolve("host/hostcert.pem");
    }

    Path hostKey() {
        return directory.resolve("host/hostkey.pem");
    }

    Path trustDirectory() {
        return directory.resolve("certificates");
    }
}
