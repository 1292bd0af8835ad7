// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.PEMCredential;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The servers of {@code docker/lab/gridftp}, below {@code JOBGATE_LAB} or its default. */
public final class GridFtpLab {

    public static final String ACCOUNT = "jobgate-a";
    public static final GridFtpSettings SETTINGS =
            GridFtpSettings.DEFAULTS.withTimeouts(Duration.ofSeconds(60), Duration.ofSeconds(60));

    private static final Path LAB = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"));
    private static final int PORT = Integer.parseInt(System.getenv().getOrDefault("JOBGATE_LAB_GRIDFTP_PORT", "2811"));
    private static final Path PKI = LAB.resolve("gridftp/pki");
    private static final Path SCRIPT =
            Path.of(System.getProperty("jobgate.root", "..")).resolve("docker/lab/gridftp");

    public static final ServerAddress A = new ServerAddress("localhost", PORT);
    public static final ServerAddress B = new ServerAddress("127.0.0.2", PORT + 1);
    public static final ServerAddress C = new ServerAddress("localhost", PORT + 2);
    public static final ServerAddress WRONG = new ServerAddress("localhost", PORT + 3);
    public static final ServerAddress SIX = new ServerAddress("::1", PORT + 4);

    private GridFtpLab() {}

    /** Skips the test without the servers, or without the right to see their files. */
    public static void need() throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: the files of the lab's accounts are compared, which only root may");
        assumeTrue(
                Files.isReadable(PKI.resolve(ACCOUNT + "/proxy.pem")) && run("status") == 0,
                "SKIPPED: the GridFTP lab at " + LAB + " does not run; bring it up with: docker/lab/gridftp up");
    }

    /** Runs {@code docker/lab/gridftp} with this word. */
    static int run(String word) throws IOException, InterruptedException {
        return command(List.of(SCRIPT.toString(), word), Duration.ofMinutes(2));
    }

    static int command(List<String> words, Duration limit) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("JOBGATE_LAB", LAB.toString());
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(limit.toSeconds(), TimeUnit.SECONDS))
                    .as("%s ends", words)
                    .isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** As the account, with its proxy. */
    static int asAccount(List<String> words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                "setpriv",
                "--reuid",
                ACCOUNT,
                "--regid",
                ACCOUNT,
                "--init-groups",
                "env",
                "X509_CERT_DIR=" + PKI.resolve("certificates"),
                "X509_USER_PROXY=" + PKI.resolve(ACCOUNT + "/proxy.pem")));
        all.addAll(words);
        return command(all, Duration.ofMinutes(2));
    }

    public static X509Credential proxy() throws Exception {
        return new PEMCredential(PKI.resolve(ACCOUNT + "/proxy.pem").toString(), (char[]) null);
    }

    static X509Credential certificate() throws Exception {
        return new PEMCredential(
                PKI.resolve(ACCOUNT + "/key.pem").toString(),
                PKI.resolve(ACCOUNT + "/cert.pem").toString(),
                null);
    }

    /** Not mapped to any account. */
    static X509Credential stranger() throws Exception {
        return new PEMCredential(
                PKI.resolve("a/key.pem").toString(), PKI.resolve("a/cert.pem").toString(), null);
    }

    public static OpensslCertChainValidator validator() {
        return GridPki.validator(PKI.resolve("certificates"));
    }

    static GridFtpSession open(ServerAddress server, GsiSecurity security) throws GridFtpException {
        return GridFtpSession.open(server, security, SETTINGS, Clock.systemUTC());
    }

    /** A new directory of the account. */
    public static Path directory(String name) throws IOException, InterruptedException {
        Path made = Files.createTempDirectory(LAB.resolve("home").resolve(ACCOUNT), name + "-");
        giveAway(made);
        return made;
    }

    public static void giveAway(Path file) throws IOException, InterruptedException {
        assertThat(command(List.of("chown", "-R", ACCOUNT, file.toString()), Duration.ofMinutes(1)))
                .isZero();
    }

    public static void remove(Path directory) throws IOException, InterruptedException {
        command(List.of("rm", "-rf", directory.toString()), Duration.ofMinutes(1));
    }

    /** Lines of a server's transfer log that name the file. */
    static List<String> logOf(String server, Path file) throws IOException {
        Path log = LAB.resolve("gridftp/log/" + server + "-transfer.log");
        // other tests transfer files whose names are not UTF-8, and the server logs those names byte for byte
        return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("FILE=" + file + " "))
                .toList();
    }
}
