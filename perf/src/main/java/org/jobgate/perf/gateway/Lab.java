// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.GramMessages;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.ProxySigner;
import org.jobgate.perf.wire.SlashName;
import org.jobgate.perf.wire.Tls;

/**
 * A directory with all that one gateway of the harness's own needs: a test CA, a host certificate, a user with a proxy, a grid-mapfile
 * that maps him to the account the harness runs as, and the configuration. It listens on the loopback interface only.
 */
public final class Lab implements AutoCloseable {

    /** What conditions say of the store that {@link #configuration} asks for. */
    public static final String STORE = "sqlite, WAL, synchronous FULL, one group-commit writer";

    private static final Duration PREPARATION_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final String HOST = "localhost";
    private static final String USER = "perf";

    private final Checkout checkout;
    private final Path directory;
    private final int port;
    private final LrmChoice lrm;
    private final Optional<LabGrid> grid;
    private final String settings;
    private boolean keep;

    private Lab(
            Checkout checkout,
            Path directory,
            boolean keep,
            int port,
            LrmChoice lrm,
            Optional<LabGrid> grid,
            String settings) {
        this.checkout = checkout;
        this.directory = directory;
        this.keep = keep;
        this.port = port;
        this.lrm = requireNonNull(lrm, "lrm is null");
        this.grid = requireNonNull(grid, "grid is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    /**
     * Makes the directory, the certificates and the configuration.
     *
     * @param parent where the directory is made; what lies on a RAM disk tells nothing of durable changes
     * @param keep whether it stays when closed
     * @param grid the certificates to use instead of own ones, where others must know the same user
     * @param settings more lines of the configuration, as they stand in it; empty for none
     */
    public static Lab create(
            Checkout checkout, Path parent, boolean keep, LrmChoice lrm, Optional<LabGrid> grid, String settings)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path directory = Files.createTempDirectory(parent, "jobgate-perf-");
        Lab lab =
                new Lab(requireNonNull(checkout, "checkout is null"), directory, keep, freePort(), lrm, grid, settings);
        Files.createDirectories(lab.state());
        Files.createDirectories(lab.work());
        if (grid.isEmpty()) {
            lab.makeCertificates();
            Files.writeString(lab.gridMapfilePath(), lab.gridMapfile());
        }
        Files.writeString(lab.configurationFile(), lab.configuration());
        return lab;
    }

    /** A port of the loopback interface that nobody listens on now. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return socket.getLocalPort();
        }
    }

    private void makeCertificates() throws IOException, InterruptedException {
        Commands commands = new Commands(directory.resolve("ca.log"), Map.of(), PREPARATION_TIMEOUT);
        String authority = certificates().toString();
        String user = certificates().resolve("user").toString();
        ca(commands, "init", "--dir", authority);
        ca(
                commands,
                "host",
                "--dir",
                authority,
                "--out",
                certificates().resolve("host").toString());
        ca(commands, "user", "--dir", authority, "--out", user, USER);
        ca(commands, "proxy", "--cert", user + "/usercert.pem", "--out", proxy().toString());
    }

    private void ca(Commands commands, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(checkout.jobgate(), "ca"));
        command.addAll(List.of(arguments));
        commands.run(command);
    }

    /** Maps the user to the account; where the harness runs as it, no sudo is needed. */
    private String gridMapfile() throws IOException, GeneralSecurityException {
        X509Certificate user = Credential.read(proxy()).chain().getLast();
        return "\"" + SlashName.of(user.getSubjectX500Principal()) + "\" " + lrm.account() + "\n";
    }

    private String configuration() {
        return """
                server: { host: 127.0.0.1, port: %d, publicName: %s, hostCertificate: %s, hostKey: %s, trustDirectory: %s }
                state: { directory: %s }
                store: { url: "sqlite:jobgate.db" }
                authorization: { gridMapfile: %s, deniedAccounts: [] }
                lrms: [ %s ]
                %s
                """.formatted(
                port,
                HOST,
                grid.map(LabGrid::hostCertificate)
                        .orElseGet(() -> certificates().resolve("host/hostcert.pem")),
                grid.map(LabGrid::hostKey).orElseGet(() -> certificates().resolve("host/hostkey.pem")),
                trustDirectory(),
                state(),
                gridMapfilePath(),
                lrm.configuration(directory.resolve("spool").toString()),
                settings);
    }

    public Path hostCertificate() {
        return grid.map(LabGrid::hostCertificate).orElseGet(() -> certificates().resolve("host/hostcert.pem"));
    }

    public Path hostKey() {
        return grid.map(LabGrid::hostKey).orElseGet(() -> certificates().resolve("host/hostkey.pem"));
    }

    private Path certificates() {
        return directory.resolve("certificates");
    }

    private Path gridMapfilePath() {
        return grid.map(LabGrid::gridMapfile).orElseGet(() -> directory.resolve("grid-mapfile"));
    }

    public Checkout checkout() {
        return checkout;
    }

    public Path directory() {
        return directory;
    }

    public Path state() {
        return directory.resolve("state");
    }

    /** Where jobs may write. */
    public Path work() {
        return directory.resolve("work");
    }

    Path configurationFile() {
        return directory.resolve("jobgate.yaml");
    }

    public Path proxy() {
        return grid.map(LabGrid::proxy).orElseGet(() -> directory.resolve("proxy.pem"));
    }

    /** Makes the proxy of one more user of the same authority, whom the grid-mapfile does not name. */
    public Path proxyOfStranger() throws IOException, InterruptedException {
        Commands commands = new Commands(directory.resolve("ca.log"), Map.of(), PREPARATION_TIMEOUT);
        Path stranger = certificates().resolve("stranger");
        ca(commands, "user", "--dir", certificates().toString(), "--out", stranger.toString(), "stranger");
        ca(commands, "proxy", "--cert", stranger + "/usercert.pem", "--out", stranger + "/proxy.pem");
        return stranger.resolve("proxy.pem");
    }

    public Path trustDirectory() {
        return grid.map(LabGrid::trustDirectory).orElseGet(() -> certificates().resolve("certificates"));
    }

    public String url() {
        return "https://" + HOST + ":" + port;
    }

    /**
     * A runner of the command line clients, with the user's proxy. Their start-up cache is built first: the launchers would build it in
     * the background of what is measured.
     *
     * @param timeout after which a client is killed
     */
    public Commands clients(Duration timeout) throws IOException, InterruptedException {
        new Commands(directory.resolve("prepare.log"), Map.of(), PREPARATION_TIMEOUT)
                .run(List.of(checkout.jobgate(), "prepare"));
        return new Commands(directory.resolve("client.log"), clientEnvironment(), timeout);
    }

    /** What the environment of a grid client must say. */
    private Map<String, String> clientEnvironment() {
        return Map.of(
                "X509_USER_PROXY",
                proxy().toString(),
                "X509_CERT_DIR",
                trustDirectory().toString());
    }

    /** A TLS context that shows the user's proxy; shared by all connections of a run, so that sessions can be resumed. */
    public SSLContext tls() throws IOException, GeneralSecurityException {
        return Tls.context(Credential.read(proxy()), trustDirectory());
    }

    /** The same with the user's own certificate instead of a proxy, for servers that know none; of a lab with own certificates only. */
    public SSLContext tlsWithoutProxy() throws IOException, GeneralSecurityException {
        Path user = certificates().resolve("user");
        Credential credential = Credential.read(user.resolve("usercert.pem"), user.resolve("userkey.pem"));
        return Tls.context(credential, trustDirectory());
    }

    /** A connection to the gateway, not opened yet. */
    public HttpsConnection connection(SSLContext tls) {
        return connection(tls, port);
    }

    /** A client of its own connection. */
    public GramClient client(SSLContext tls) {
        return new GramClient(connection(tls), new GramMessages(url(), lrm.name(), UUID::randomUUID));
    }

    /** A connection to whatever listens on a port of the loopback interface, not opened yet. */
    public static HttpsConnection connection(SSLContext tls, int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return new HttpsConnection(tls, HOST, address, REQUEST_TIMEOUT);
    }

    /** Signs proxies of the user. */
    public ProxySigner signer() throws IOException, GeneralSecurityException {
        return new ProxySigner(Credential.read(proxy()), Clock.systemUTC());
    }

    /** Leaves the directory there when closed. */
    public void keep() {
        keep = true;
    }

    /** Removes the directory, unless it is to be kept. */
    @Override
    public void close() throws IOException {
        if (keep) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
