// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A gateway of the tests' own, made and started as an administrator would: by {@code bin/jobgate ca} and {@code bin/jobgate start}, in a
 * temporary directory, on a free port of the loopback interface. Closing it stops it and removes the directory.
 */
final class Gateway implements AutoCloseable {

    /** Stands in lines of the configuration for the subject of its user, in quotation marks. */
    static final String ADMINISTRATOR = "@administrator@";

    /** The name of its own LRM. */
    static final String LRM = "Fork";

    /** The LRM that is another gateway, of one that has it. */
    static final String OTHER = "Other";

    private static final Duration LOG_PATIENCE = Duration.ofMinutes(4);

    /** Seconds in which it is ready, or has ended, on a machine that is busy with something else too. */
    private static final String LIFE_PATIENCE = "400";

    /** A process that was killed is gone by then, on a machine that is busy with something else too. */
    private static final Duration END_PATIENCE = Duration.ofMinutes(2);

    /** A change of the grid-mapfile is known by then: authorization.gridMapfileCheck is 2 s. */
    private static final Duration MAP_IS_KNOWN = Duration.ofMillis(2_500);

    private final Path directory;
    private final int port;
    private final Programs programs;

    /** Whose certificates it shares and to which it can give jobs; absent for one that stands alone. */
    private final @Nullable Gateway other;

    /** Whether it wants messages that are protected themselves, of clients without certificates. */
    private final boolean wantsProtection;

    /** More settings of staging, each after a comma. */
    private final String staging;

    /** Where it keeps its jobs and its keys, as lines of the configuration; nothing: where it does by default. */
    private String places = "";

    /** Issuers of tokens and attributes of users; absent for a gateway that shares another's certificates. */
    private @Nullable TestIssuers issuers;

    /** Its user, who is its administrator too; of one that made its own certificates. */
    private String administrator = "";

    private Gateway(Path directory, int port, @Nullable Gateway other, boolean wantsProtection, String staging) {
        this.directory = directory;
        this.staging = staging;
        this.wantsProtection = wantsProtection;
        this.other = other;
        this.port = port;
        this.programs = new Programs(directory, Map.of());
    }

    /** Makes one and starts it. */
    static Gateway start() throws IOException, InterruptedException {
        return start(null, false, "");
    }

    /** Makes one and starts it that has these lines in its configuration too; {@code @directory@} in them is its directory. */
    static Gateway startWith(String lines) throws IOException, InterruptedException {
        return start(null, false, "", lines);
    }

    /** Makes one and starts it that wants every message protected; the user is known by the name and the password "interop", or the name "hashed", as well. */
    static Gateway startProtected() throws IOException, InterruptedException {
        return start(null, true, "");
    }

    /** One that trusts the authority of the lab's GridFTP servers as well, and whose user is one of theirs. */
    static Gateway startBeside(GridFtpServers servers) throws IOException, InterruptedException {
        return startBeside(servers, "");
    }

    /** The same with more settings of staging, each after a comma. */
    static Gateway startBeside(GridFtpServers servers, String staging) throws IOException, InterruptedException {
        return startBeside(servers, staging, "");
    }

    /** The same with further lines of the configuration too. */
    static Gateway startBeside(GridFtpServers servers, String staging, String lines)
            throws IOException, InterruptedException {
        Gateway gateway = start(null, false, staging, lines);
        gateway.programs.runWell(List.of("cp", "-a", servers.authorities() + "/.", gateway.trustDirectory() + "/"));
        gateway.programs.runWell(
                List.of("install", "-m", "600", servers.proxy().toString(), gateway.path("proxy.pem")));
        Files.writeString(
                gateway.directory.resolve("grid-mapfile"),
                "\"" + servers.subject() + "\" " + System.getProperty("user.name") + "\n",
                StandardOpenOption.APPEND);
        gateway.restart();
        return gateway;
    }

    /** Makes and starts one that gives jobs to another, with the same certificates, as itself. */
    static Gateway startBefore(Gateway other) throws IOException, InterruptedException {
        Gateway gateway = start(other, false, "");
        other.admit(gateway);
        return gateway;
    }

    private static Gateway start(@Nullable Gateway other, boolean wantsProtection, String staging)
            throws IOException, InterruptedException {
        return start(other, wantsProtection, staging, "");
    }

    private static Gateway start(@Nullable Gateway other, boolean wantsProtection, String staging, String lines)
            throws IOException, InterruptedException {
        Gateway gateway = new Gateway(
                Files.createTempDirectory("jobgate-interop-"), Ports.free(), other, wantsProtection, staging);
        gateway.places = lines;
        try {
            if (other == null) {
                gateway.makeCertificates();
            } else {
                gateway.takeCertificates(other);
            }
            Files.writeString(gateway.directory.resolve("jobgate.yaml"), gateway.configuration());
            gateway.startAgain();
            return gateway;
        } catch (IOException | InterruptedException e) {
            try (gateway) {
                throw e;
            }
        }
    }

    /** What is put into the directory of a gateway before its first start, and what it adds to the configuration. */
    @FunctionalInterface
    interface Preparation {
        /**
         * Fills its directory.
         *
         * @param gateway with its directory and port, not yet started; {@code authority} and {@code user} are to be put there, and
         *     {@link #makeHostAndProxy} is to be called then
         * @return lines of the configuration: {@code store} and {@code delegation}
         */
        String in(Gateway gateway) throws Exception;
    }

    /** Starts one with the authority, the user and the state that another gateway left. */
    static Gateway restore(Preparation preparation) throws Exception {
        Gateway gateway = new Gateway(Files.createTempDirectory("jobgate-interop-"), Ports.free(), null, false, "");
        try {
            gateway.places = preparation.in(gateway);
            Files.writeString(gateway.directory.resolve("jobgate.yaml"), gateway.configuration());
            gateway.startAgain();
            return gateway;
        } catch (Exception e) {
            try (gateway) {
                throw e;
            }
        }
    }

    /** A host certificate of the authority that is in the directory, and a proxy of the user that is there. */
    void makeHostAndProxy() throws IOException, InterruptedException {
        jobgate("ca", "host", "--dir", path("authority"), "--out", path("host"), "localhost");
        jobgate("ca", "proxy", "--cert", path("user/usercert.pem"), "--out", path("proxy.pem"));
    }

    private void makeCertificates() throws IOException, InterruptedException {
        String authority = path("authority");
        jobgate("ca", "init", "--dir", authority);
        jobgate("ca", "host", "--dir", authority, "--out", path("host"));
        String user = jobgate("ca", "user", "--dir", authority, "--out", path("user"), "interop");
        jobgate("ca", "proxy", "--cert", path("user/usercert.pem"), "--out", path("proxy.pem"));
        String subject = subject(user);
        administrator = "\"" + subject + "\"";
        String account = System.getProperty("user.name");
        Files.writeString(directory.resolve("grid-mapfile"), "\"" + subject + "\" " + account + "\n");
        Path passwords = Files.createFile(
                directory.resolve("passwords"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        // the second has a hash of "interop", by the crypt function of the C library
        String hash = "$2b$04$abcdefghijklmnopqrstuu53r0wXzUScRekB5ecNpsgDrDyK4222C";
        Files.writeString(passwords, "interop\tinterop\t" + subject + "\nhashed\t" + hash + "\t" + subject + "\n");
        issuers = TestIssuers.in(directory);
    }

    /**
     * A further user, mapped to the account of the first, whom the gateway knows when this returns.
     *
     * @param name the last part of the subject
     * @return a proxy
     */
    Path furtherUser(String name) throws IOException, InterruptedException {
        Path place = Files.createTempDirectory(directory, "user-");
        String said = jobgate(
                "ca",
                "user",
                "--dir",
                path("authority"),
                "--out",
                place.resolve("user").toString(),
                name);
        Path proxy = place.resolve("proxy.pem");
        jobgate("ca", "proxy", "--cert", place.resolve("user/usercert.pem").toString(), "--out", proxy.toString());
        admit(subject(said));
        return proxy;
    }

    /** Maps a further subject to the account of the first user; the gateway knows it when this returns. */
    void admit(String subject) throws IOException, InterruptedException {
        Files.writeString(
                directory.resolve("grid-mapfile"),
                "\"" + subject + "\" " + System.getProperty("user.name") + "\n",
                StandardOpenOption.APPEND);
        Thread.sleep(MAP_IS_KNOWN);
    }

    private static String subject(String said) throws IOException {
        return said.lines()
                .filter(line -> line.startsWith("Subject:"))
                .map(line -> line.substring("Subject:".length()).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("no subject in: " + said));
    }

    private String messageSecurity() {
        return wantsProtection
                ? "messageSecurity: { mode: require, services: [ DelegationFactoryService=accept ], conversations: [ all ], passwordFile: "
                        + path("passwords") + " }\n"
                : "";
    }

    private void takeCertificates(Gateway from) throws IOException, InterruptedException {
        for (String name : List.of("authority", "host", "user", "proxy.pem", "grid-mapfile")) {
            programs.runWell(List.of("cp", "-a", from.path(name), path(name)));
        }
    }

    /** The other gateway is a caller like any other: its host certificate needs a line. */
    private void admit(Gateway caller) throws IOException, InterruptedException {
        String said = programs.runWell(List.of(
                "openssl",
                "x509",
                "-in",
                caller.path("host/hostcert.pem"),
                "-noout",
                "-subject",
                "-nameopt",
                "compat"));
        String subject = said.strip().replaceFirst("^subject= ?", "");
        Files.writeString(
                directory.resolve("grid-mapfile"),
                "\"" + subject + "\" " + System.getProperty("user.name") + "\n",
                StandardOpenOption.APPEND);
        restart();
    }

    private String otherLrm() {
        return other == null
                ? ""
                : ", { name: %s, adapter: gateway, pollInterval: 300ms, requestTimeout: 10s, options: [ url=%s/ManagedJobFactoryService, lrm=%s, credential=host ] }"
                        .formatted(OTHER, other.services(), LRM);
    }

    private String configuration() {
        return """
                server: { host: 127.0.0.1, port: %d, publicName: localhost, hostCertificate: %s, hostKey: %s, trustDirectory: %s }
                state: { directory: %s }
                callbacks: { allowLoopbackAddresses: true }
                staging: { allowLoopbackAddresses: true, markInterval: 200ms, firstRetry: 200ms, incrementalInterval: 300ms, incrementalBytes: 256KiB%s }
                authorization: { gridMapfile: %s, deniedAccounts: [], administrators: [ %s ] }
                lrms: [ { name: %s, adapter: fork, maxRunning: 100, spool: %s, idleEnd: 10s }%s ]
                """.formatted(
                                port,
                                path("host/hostcert.pem"),
                                path("host/hostkey.pem"),
                                trustDirectory(),
                                path("state"),
                                staging,
                                path("grid-mapfile"),
                                administrator,
                                LRM,
                                path("spool"),
                                otherLrm())
                + messageSecurity()
                + places.replace(ADMINISTRATOR, administrator).replace("@directory@", directory.toString())
                + (issuers == null ? "" : issuers.configuration(places.contains("decisionPoints:")));
    }

    private String jobgate(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/jobgate").toString()));
        command.addAll(List.of(arguments));
        return programs.runWell(command);
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    /** Starts it again, with the state that it left. */
    void startAgain() throws IOException, InterruptedException {
        jobgate("start", "--timeout", LIFE_PATIENCE, "--config", path("jobgate.yaml"));
    }

    private void stop() throws IOException, InterruptedException {
        jobgate("stop", "--timeout", LIFE_PATIENCE, "--config", path("jobgate.yaml"));
    }

    /** Starts it again with another grid-mapfile, and answers the one that it had. */
    String restartWithMap(String map) throws IOException, InterruptedException {
        Path file = directory.resolve("grid-mapfile");
        String before = Files.readString(file);
        Files.writeString(file, map);
        restart();
        return before;
    }

    /** Ends its process as a power failure would: no handler runs, nothing is finished. */
    void kill() throws IOException, InterruptedException {
        long id = Long.parseLong(
                Files.readString(directory.resolve("state/jobgate.pid")).strip());
        ProcessHandle process = ProcessHandle.of(id).orElseThrow(() -> new IOException("no process " + id));
        process.destroyForcibly();
        long end = System.nanoTime() + END_PATIENCE.toNanos();
        while (process.isAlive()) {
            if (System.nanoTime() > end) {
                throw new IOException("the process " + id + " does not end");
            }
            Thread.sleep(10);
        }
    }

    /** What it has logged. */
    String log() throws IOException {
        return Files.readString(directory.resolve("state/logs/jobgate.log"));
    }

    /** A directory for what jobs write. */
    Path directory() {
        return directory;
    }

    int port() {
        return port;
    }

    /** Stops it as an administrator would, and starts it again. */
    void restart() throws IOException, InterruptedException {
        stop();
        startAgain();
    }

    /** What all services' addresses begin with. */
    String services() {
        return "https://localhost:" + port + "/wsrf/services";
    }

    /** The address of the factory of OGSA-BES. */
    String bes() {
        return "https://localhost:" + port + "/bes/BESFactory";
    }

    Path proxy() {
        return directory.resolve("proxy.pem");
    }

    /** Tokens and VOMS attributes for it. */
    TestIssuers issuers() {
        return requireNonNull(issuers, "this gateway has no issuers");
    }

    Path userCertificate() {
        return directory.resolve("user/usercert.pem");
    }

    Path trustDirectory() {
        return directory.resolve("authority/certificates");
    }

    Path hostCertificate() {
        return directory.resolve("host/hostcert.pem");
    }

    Path hostKey() {
        return directory.resolve("host/hostkey.pem");
    }

    /** A runner of clients that find their credentials by the environment variables that all grid clients read. */
    Programs clients() {
        return new Programs(
                directory,
                Map.of(
                        "X509_USER_PROXY", proxy().toString(),
                        "X509_CERT_DIR", trustDirectory().toString(),
                        "SERVICES", services()));
    }

    /** Runs globusrun-ws as the user. */
    Programs.Result globusrun(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/globusrun-ws").toString()));
        command.addAll(List.of(words));
        return clients().run(command);
    }

    /** Submits a job that stages files; answers the file with its EPR, which is put beside the description. */
    Path submit(Path description) throws IOException, InterruptedException {
        Path epr = Path.of(description + ".epr");
        Programs.Result submitted = globusrun(
                "-submit", "-b", "-S", "-o", epr.toString(), "-F", "localhost:" + port, "-f", description.toString());
        if (submitted.status() != 0) {
            throw new IOException("globusrun-ws ended with " + submitted.status() + ": " + submitted.output());
        }
        return epr;
    }

    /**
     * Waits until it logs this.
     *
     * @param from how much of the log is of before
     */
    void awaitLog(int from, String text) {
        await(text).atMost(LOG_PATIENCE).until(() -> log().indexOf(text, from) >= 0);
    }

    @Override
    public void close() throws IOException {
        try {
            if (Files.exists(directory.resolve("state/jobgate.pid"))) {
                stop();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the gateway in " + directory + " was stopped", e);
        }
        LeftStarters.end(path("spool"), END_PATIENCE);
        remove();
    }

    /** A job's own looker-after may write into it for a moment longer, so it is tried until nothing is left. */
    private void remove() {
        await("the end of " + directory).atMost(END_PATIENCE).until(() -> {
            List<String> command = List.of("rm", "-rf", directory.toString());
            return new ProcessBuilder(command).start().waitFor() == 0;
        });
    }
}
