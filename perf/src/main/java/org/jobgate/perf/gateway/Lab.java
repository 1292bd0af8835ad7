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
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.GramMessages;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.ProxySigner;
import org.jobgate.perf.wire.QuickConnection;
import org.jobgate.perf.wire.Tls;

/**
 * A directory with all that one gateway of the harness's own needs: a test CA, a host certificate, users with a proxy each, a grid-mapfile
 * that maps them to the account the harness runs as, and the configuration. It listens on the loopback interface only.
 */
public final class Lab implements AutoCloseable {

    /** What conditions say of the store that {@link #configuration} asks for. */
    public static final String STORE = "sqlite, WAL, synchronous FULL, one group-commit writer";

    private static final Duration PREPARATION_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final String HOST = "localhost";

    private static final int FIRST_PORT = 18_500;
    private static final int PORTS = 1_500;
    private static final int ATTEMPTS = 1_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private final Checkout checkout;
    private final Path directory;
    private final int port;
    private final LrmChoice lrm;
    private final Optional<LabGrid> grid;
    private final String settings;
    private final LabCertificates certificates;
    private boolean keep;

    private Lab(
            Checkout checkout,
            Path directory,
            boolean keep,
            int port,
            LrmChoice lrm,
            Optional<LabGrid> grid,
            String settings,
            int users) {
        this.checkout = checkout;
        this.directory = directory;
        this.keep = keep;
        this.port = port;
        this.lrm = requireNonNull(lrm, "lrm is null");
        this.grid = requireNonNull(grid, "grid is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.certificates = new LabCertificates(checkout.jobgate(), directory.resolve("certificates"), users);
    }

    /**
     * Makes the directory, the certificates and the configuration.
     *
     * @param parent where the directory is made; what lies on a RAM disk tells nothing of durable changes
     * @param keep whether it stays when closed
     * @param grid the certificates to use instead of own ones, where others must know the same user
     * @param settings more lines of the configuration, as they stand in it; empty for none
     * @param users how many, all mapped to one account; one with the lab's certificates
     */
    public static Lab create(
            Checkout checkout,
            Path parent,
            boolean keep,
            LrmChoice lrm,
            Optional<LabGrid> grid,
            String settings,
            int users)
            throws IOException, InterruptedException, GeneralSecurityException {
        if (users < 1 || (grid.isPresent() && users > 1)) {
            throw new IllegalArgumentException("there cannot be " + users + " users"
                    + (grid.isPresent() ? ": the lab's certificates are of one" : ""));
        }
        Path directory = Files.createTempDirectory(parent, "jobgate-perf-");
        Lab lab = new Lab(
                requireNonNull(checkout, "checkout is null"), directory, keep, freePort(), lrm, grid, settings, users);
        Files.createDirectories(lab.state());
        Files.createDirectories(lab.work());
        if (grid.isEmpty()) {
            lab.certificates.make();
            Files.writeString(lab.gridMapfilePath(), lab.certificates.gridMapfile(lrm.account()));
        }
        Files.writeString(lab.configurationFile(), lab.configuration());
        return lab;
    }

    /**
     * A port of the loopback interface that nobody has now, and that was not given before in this process. It is none of those that the
     * system gives to whoever asks for any one (net.ipv4.ip_local_port_range, from 32768 on): a gateway that is killed and started again
     * finds it free, however many clients connect meanwhile.
     */
    public static synchronized int freePort() throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
            if (!GIVEN.contains(port) && isFree(port)) {
                GIVEN.add(port);
                return port;
            }
        }
        throw new IOException("no port from " + FIRST_PORT + " on is free, in " + ATTEMPTS + " attempts");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /** Thousands of clients take longer than a minute to connect on a small machine; the first ones shall still be there then. */
    private String configuration() {
        return """
                server: { host: 127.0.0.1, port: %d, publicName: %s, hostCertificate: %s, hostKey: %s, trustDirectory: %s, idleTimeout: 15m }
                state: { directory: %s }
                store: { url: "sqlite:jobgate.db" }
                authorization: { gridMapfile: %s, deniedAccounts: [] }
                lrms: [ %s ]
                %s
                """.formatted(
                        port,
                        HOST,
                        hostCertificate(),
                        hostKey(),
                        trustDirectory(),
                        state(),
                        gridMapfilePath(),
                        lrm.configuration(spool().toString()),
                        onThisMachine("staging", onThisMachine("callbacks", settings)));
    }

    /**
     * Says one thing of the configuration otherwise, from the gateway's next start on.
     *
     * @param said what it says now, and nowhere twice
     */
    public void configure(String said, String otherwise) throws IOException {
        String before = Files.readString(configurationFile());
        if (before.indexOf(said) < 0 || before.indexOf(said) != before.lastIndexOf(said)) {
            throw new IllegalArgumentException("the configuration does not say '" + said + "' once");
        }
        Files.writeString(configurationFile(), before.replace(said, otherwise));
    }

    /** The servers and clients of a measurement run on the gateway's own machine. */
    private static String onThisMachine(String section, String settings) {
        String allowed = section + ": { allowLoopbackAddresses: true";
        return settings.contains(section + ": {")
                ? settings.replace(section + ": {", allowed + ",")
                : settings + "\n" + allowed + " }";
    }

    /**
     * Maps one user to another account than the rest. Of a lab with own certificates only, and before its gateway starts.
     *
     * @param user its place in {@link #tlsOfUsers}
     */
    public void mapUser(int user, String account) throws IOException {
        if (grid.isPresent()) {
            throw new IllegalStateException("the lab's grid-mapfile is not ours to change");
        }
        List<String> lines = new ArrayList<>(Files.readAllLines(gridMapfilePath()));
        String line = lines.get(user);
        lines.set(user, line.substring(0, line.lastIndexOf(' ') + 1) + account);
        Files.write(gridMapfilePath(), lines);
    }

    /**
     * Gives the gateway's host another key. Of a lab with own certificates only, and while its gateway does not run.
     *
     * @param kind {@code rsa} or {@code ecdsa}
     */
    public void makeHost(String kind) throws IOException, InterruptedException {
        if (grid.isPresent()) {
            throw new IllegalStateException("the lab's host certificate is not ours to change");
        }
        certificates.makeHost(kind);
    }

    public Path hostCertificate() {
        return grid.map(LabGrid::hostCertificate).orElseGet(certificates::hostCertificate);
    }

    public Path hostKey() {
        return grid.map(LabGrid::hostKey).orElseGet(certificates::hostKey);
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

    /** The spool of the LRM, where that has none of its own. */
    public Path spool() {
        return directory.resolve("spool");
    }

    /** Where jobs may write. */
    public Path work() {
        return directory.resolve("work");
    }

    Path configurationFile() {
        return directory.resolve("jobgate.yaml");
    }

    /** The proxy of the user, of the first one where there are several. */
    public Path proxy() {
        return proxies().getFirst();
    }

    /** The proxies of all users, in their order. */
    public List<Path> proxies() {
        return grid.map(one -> List.of(one.proxy())).orElseGet(certificates::proxies);
    }

    /** Makes the proxy of one more user of the same authority, whom the grid-mapfile does not name. */
    public Path proxyOfStranger() throws IOException, InterruptedException {
        return certificates.proxyOfStranger();
    }

    public Path trustDirectory() {
        return grid.map(LabGrid::trustDirectory).orElseGet(certificates::trustDirectory);
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

    /** A TLS context that shows the (first) user's proxy; shared by all connections of a run, so that sessions can be resumed. */
    public SSLContext tls() throws IOException, GeneralSecurityException {
        return tlsOfUsers().getFirst();
    }

    /** One for each of the users. */
    public List<SSLContext> tlsOfUsers() throws IOException, GeneralSecurityException {
        List<SSLContext> contexts = new ArrayList<>();
        for (Path proxy : proxies()) {
            contexts.add(Tls.context(Credential.read(proxy), trustDirectory()));
        }
        return contexts;
    }

    /** The same with the user's own certificate instead of a proxy, for servers that know none; of a lab with own certificates only. */
    public SSLContext tlsWithoutProxy() throws IOException, GeneralSecurityException {
        return Tls.context(certificates.firstUser(), trustDirectory());
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

    /** The same for a client among many that one thread serves, from an address of its own. */
    public static QuickConnection quickConnection(SSLContext tls, int port, InetAddress from) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return new QuickConnection(tls, HOST, address, REQUEST_TIMEOUT, from);
    }

    /** One to the gateway. */
    public QuickConnection quickConnection(SSLContext tls, InetAddress from) {
        return quickConnection(tls, port, from);
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
        Removal.of(directory);
    }
}
