// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A gateway as a site has it: an account of its own without any right, three accounts for jobs (those of docker/lab/accounts), and the rules
 * for sudo that {@code Main --sudoers} makes. People come with certificates, or with passwords of the accounts by a PAM service of its own. Needs
 * root, who makes the gateway's account, the rules and the service, and takes all away again.
 */
final class SeparateAccounts implements AutoCloseable {

    /** The accounts of jobs; the subject of user N is mapped to account N. */
    static final List<String> ACCOUNTS = List.of("jobgate-a", "jobgate-b", "jobgate-c");

    /** A supplementary group of the first account. */
    final String group;

    final String service;
    final Path directory;
    private final int port;
    private final Path sudoers;
    private final Path pam;
    private final Programs programs;
    private @Nullable Process server;

    /** Accounts that have a password; another site on this machine may have given the others theirs. */
    private final Set<String> withPassword = new HashSet<>();

    private SeparateAccounts() throws IOException {
        long mark = ProcessHandle.current().pid() % 100_000;
        this.service = "jobgate-gate" + mark;
        this.group = "jobgate-group" + mark;
        this.sudoers = Path.of("/etc/sudoers.d/jobgate-it-" + mark);
        this.pam = Path.of("/etc/pam.d/jobgate-it-" + mark);
        this.directory = Files.createTempDirectory(
                "jobgate-accounts-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        this.programs = new Programs(directory, Map.of());
        this.port = Ports.free();
    }

    static SeparateAccounts start() throws IOException, InterruptedException {
        return start("");
    }

    /** @param settings more lines of the configuration */
    static SeparateAccounts start(String settings) throws IOException, InterruptedException {
        return start(settings, "");
    }

    /**
     * The same with further LRMs.
     *
     * @param lrms each after a comma; {@code %s} stands for a name of this site alone
     */
    static SeparateAccounts start(String settings, String lrms) throws IOException, InterruptedException {
        return start(settings, lrms, List.of(), List.of());
    }

    /**
     * @param authorities files that are put into the directory of trusted authorities
     * @param map more lines of the grid-mapfile
     */
    static SeparateAccounts start(String settings, List<Path> authorities, List<String> map)
            throws IOException, InterruptedException {
        return start(settings, "", authorities, map);
    }

    private static SeparateAccounts start(String settings, String lrms, List<Path> authorities, List<String> map)
            throws IOException, InterruptedException {
        assumeTrue(
                System.getProperty("user.name").equals("root"),
                "SKIPPED: separate accounts are tested by root only (the test makes accounts and rules for sudo)");
        for (String program : List.of("/usr/bin/sudo", "/usr/sbin/visudo", "/usr/sbin/runuser", "/usr/sbin/useradd")) {
            assumeTrue(Files.isExecutable(Path.of(program)), "SKIPPED: there is no " + program);
        }
        SeparateAccounts made = new SeparateAccounts();
        try {
            made.prepare(settings, lrms, authorities, map);
            made.serve();
            return made;
        } catch (IOException | InterruptedException | RuntimeException e) {
            try (made) {
                throw e;
            }
        }
    }

    private void prepare(String settings, String lrms, List<Path> authorities, List<String> more)
            throws IOException, InterruptedException {
        well(Checkout.directory().resolve("docker/lab/accounts").toString(), "up");
        well("useradd", "--system", "--no-create-home", "--shell", "/bin/false", service);
        well("groupadd", group);
        well("gpasswd", "-a", ACCOUNTS.getFirst(), group);
        well(
                "cp",
                "-r",
                Checkout.directory().resolve("service/container/target/jobgate").toString(),
                path("jobgate"));
        well("chmod", "-R", "a+rX,go-w", path("jobgate"));
        String jobgate = Checkout.directory().resolve("bin/jobgate").toString();
        well(jobgate, "ca", "init", "--dir", path("ca"));
        well(jobgate, "ca", "host", "--dir", path("ca"), "--out", path("host"));
        List<String> map = new ArrayList<>();
        List<String> passwords = new ArrayList<>();
        for (String account : ACCOUNTS) {
            String said = well(jobgate, "ca", "user", "--dir", path("ca"), "--out", path(account), "User " + account);
            well(jobgate, "ca", "proxy", "--cert", path(account + "/usercert.pem"), "--out", path(account + ".proxy"));
            String subject = said.lines()
                    .filter(line -> line.startsWith("Subject:"))
                    .map(line -> line.substring("Subject:".length()).strip())
                    .findFirst()
                    .orElseThrow(() -> new IOException("no subject in: " + said));
            map.add("\"" + subject + "\" " + account);
            passwords.add("user-" + account + "\t$pam$" + account + "\t" + subject);
        }
        // the last account is not on the list
        Files.write(directory.resolve("passwords"), passwords.subList(0, passwords.size() - 1));
        well("chmod", "600", path("passwords"));
        well("chown", service, path("passwords"));
        Files.writeString(pam, "auth required pam_unix.so\naccount required pam_unix.so\n");
        map.addAll(more);
        Files.write(directory.resolve("grid-mapfile"), map);
        for (Path authority : authorities) {
            well("cp", authority.toString(), path("ca/certificates"));
        }
        well("chmod", "644", path("grid-mapfile"));
        Files.writeString(
                directory.resolve("jobgate.yaml"),
                """
                server: { host: 127.0.0.1, port: %d, publicName: localhost, hostCertificate: %s, hostKey: %s, trustDirectory: %s }
                state: { directory: %s }
                authorization: { gridMapfile: %s }
                delegation: { jobKeys: account }
                messageSecurity: { services: [ BESFactory=accept ], passwordFile: %s, pamService: %s }
                callbacks: { allowLoopbackAddresses: true }
                lrms: [ { name: Fork, adapter: fork, spool: "~/.jobgate/%s", idleEnd: 2m }%s ]
                """.formatted(
                                port,
                                path("host/hostcert.pem"),
                                path("host/hostkey.pem"),
                                path("ca/certificates"),
                                path("state"),
                                path("grid-mapfile"),
                                path("passwords"),
                                pam.getFileName(),
                                directory.getFileName(),
                                lrms.replace("%s", directory.getFileName().toString()))
                        + (settings.contains("staging:") ? "" : "staging: { allowLoopbackAddresses: true }\n")
                        + settings);
        well("install", "-d", "-m", "700", "-o", service, path("state"));
        well("chown", "-R", service, path("host"));
        well("chmod", "-R", "a+rX", path("ca/certificates"));
        Files.writeString(sudoers, asService("--sudoers", service));
        well("chmod", "440", sudoers.toString());
        well("visudo", "-cf", sudoers.toString());
    }

    /** What the server says when it is started, as its account, to do one thing and end. */
    String asService(String... what) throws IOException, InterruptedException {
        Programs.Result result = programs.run(command(what));
        if (result.status() != 0) {
            throw new IOException("the server ended with status " + result.status() + ": " + result.output());
        }
        return result.output();
    }

    /** The same with a variable in its environment; how it ends does not count. */
    String asServiceWith(String variable, String... what) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(command(what));
        command.add(command.indexOf("env") + 3, variable);
        return programs.run(command).output();
    }

    private List<String> command(String... more) {
        List<String> command = new ArrayList<>(List.of(
                "runuser",
                "-u",
                service,
                "--",
                "env",
                "-C",
                "/",
                "SECRET_OF_THE_SERVICE=do not hand on",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + path("jobgate/jvm.options"),
                "-Djobgate.home=" + path("jobgate"),
                "-cp",
                path("jobgate/lib") + "/*",
                "org.jobgate.container.Main",
                "--config",
                path("jobgate.yaml")));
        command.addAll(List.of(more));
        return command;
    }

    private void serve() throws IOException, InterruptedException {
        Path log = directory.resolve("console.log");
        Path news = directory.resolve("state/logs/jobgate.log");
        int before = Files.exists(news) ? Files.readString(news).length() : 0;
        Process started = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(log.toFile())
                .start();
        server = started;
        for (int i = 0; i < 1_800; i++) {
            if (Files.exists(news) && Files.readString(news).indexOf("READY ", before) >= 0) {
                return;
            }
            if (!started.isAlive()) {
                throw new IOException("the server ended: " + Files.readString(log));
            }
            Thread.sleep(200);
        }
        throw new IOException("the server is not ready: " + Files.readString(log));
    }

    /** Ends the server as a power failure would, so that no handler runs and nothing is finished, and starts it again. */
    void killAndStartAgain() throws IOException, InterruptedException {
        Process running = requireNonNull(server, "the server does not run");
        List<ProcessHandle> gateways =
                running.descendants().filter(SeparateAccounts::isJava).toList();
        if (gateways.size() != 1) {
            throw new IOException("not one server but " + gateways);
        }
        gateways.getFirst().destroyForcibly();
        if (!running.waitFor(180, TimeUnit.SECONDS)) {
            throw new IOException("the server does not end");
        }
        serve();
    }

    int port() {
        return port;
    }

    String path(String name) {
        return directory.resolve(name).toString();
    }

    String well(String... command) throws IOException, InterruptedException {
        return programs.runWell(List.of(command));
    }

    /** A command as a local account, with nothing of our environment. */
    Programs.Result as(String account, String script) throws IOException, InterruptedException {
        return programs.run(List.of(
                "runuser", "-u", account, "--", "env", "-i", "-C", "/", "PATH=/usr/bin:/bin", "sh", "-c", script));
    }

    /** A client of the user who is mapped to the account. */
    Programs clientOf(String account) {
        return new Programs(
                directory,
                Map.of("X509_USER_PROXY", path(account + ".proxy"), "X509_CERT_DIR", path("ca/certificates")));
    }

    /** Submits with globusrun-ws and does not wait; answers the job's id. */
    String submit(String account, String job, String... options) throws IOException, InterruptedException {
        Path description = Files.writeString(directory.resolve("job-" + System.nanoTime() + ".xml"), job);
        List<String> command = new ArrayList<>(List.of(
                Checkout.directory().resolve("bin/globusrun-ws").toString(),
                "-submit",
                "-batch",
                "-o",
                description + ".epr",
                "-F",
                "localhost:" + port));
        command.addAll(List.of(options));
        command.addAll(List.of("-f", description.toString()));
        clientOf(account).runWell(command);
        String epr = Files.readString(Path.of(description + ".epr"));
        Matcher matcher =
                Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").matcher(epr);
        if (!matcher.find()) {
            throw new IOException("no job in " + epr);
        }
        return matcher.group();
    }

    /** Sends a message to the factory of BES for the user of the account; answers the status, then the body. */
    String post(String account, String action, String envelope) throws IOException, InterruptedException {
        Path message = Files.writeString(directory.resolve("message-" + System.nanoTime() + ".xml"), envelope);
        return clientOf(account)
                .runWell(List.of(
                        "curl",
                        "-sS",
                        "--cert",
                        path(account + ".proxy"),
                        "--capath",
                        path("ca/certificates"),
                        "-H",
                        "Content-Type: text/xml; charset=utf-8",
                        "-H",
                        "SOAPAction: " + action,
                        "--data-binary",
                        "@" + message,
                        "-w",
                        "%{stderr}status %{http_code}\n",
                        "https://localhost:" + port + "/bes/BESFactory"));
    }

    /** Gives the account a password; it is taken away at the end. */
    void setPassword(String account, String password) throws IOException, InterruptedException {
        Path input = Files.createFile(
                directory.resolve("chpasswd-" + System.nanoTime()),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(input, account + ":" + password + "\n");
        Programs.Result result = programs.run(List.of("chpasswd"), input);
        Files.delete(input);
        if (result.status() != 0) {
            throw new IOException("chpasswd: " + result.output());
        }
        withPassword.add(account);
    }

    /** Sends a message to a SOAP service without a certificate, for a name and its password; answers the status, then the body. */
    String asNamed(String name, String password, String place, String body) throws IOException, InterruptedException {
        Path message = Files.writeString(
                directory.resolve("message-" + System.nanoTime() + ".xml"), """
                <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header>
                <w:Security xmlns:w="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd" e:mustUnderstand="1">
                <w:UsernameToken><w:Username>%s</w:Username><w:Password>%s</w:Password></w:UsernameToken></w:Security>
                </e:Header><e:Body>%s</e:Body></e:Envelope>
                """.formatted(name, password, body));
        return programs.runWell(List.of(
                "curl",
                "-sS",
                "--capath",
                path("ca/certificates"),
                "-H",
                "Content-Type: text/xml",
                "--data-binary",
                "@" + message,
                "-w",
                "%{stderr}status %{http_code} after %{time_total}\n",
                "https://localhost:" + port + place));
    }

    /** What {@code jobgate job explain} says to root. */
    String explain(String job) throws IOException, InterruptedException {
        return well(
                Checkout.directory().resolve("bin/jobgate").toString(),
                "job",
                "explain",
                job,
                "--config",
                path("jobgate.yaml"));
    }

    /** What the gateway's door to the files of jobs answers to the user of the account: the status, then the body. */
    String fetch(String account, String place) throws IOException, InterruptedException {
        return clientOf(account)
                .runWell(List.of(
                        "curl",
                        "-sS",
                        "--cert",
                        path(account + ".proxy"),
                        "--capath",
                        path("ca/certificates"),
                        "-w",
                        "%{stderr}status %{http_code}\n",
                        "https://localhost:" + port + "/jobs/" + place));
    }

    String home(String account) throws IOException, InterruptedException {
        return programs.home(account).toString();
    }

    @Override
    public void close() throws IOException {
        try {
            Process running = server;
            if (running != null) {
                running.descendants().filter(SeparateAccounts::isJava).forEach(ProcessHandle::destroy);
                if (!running.waitFor(60, TimeUnit.SECONDS)) {
                    running.destroyForcibly();
                }
            }
            endStarters();
            Files.deleteIfExists(sudoers);
            Files.deleteIfExists(pam);
            programs.run(List.of("userdel", service));
            programs.run(List.of("gpasswd", "-d", ACCOUNTS.getFirst(), group));
            programs.run(List.of("groupdel", group));
            for (String account : ACCOUNTS) {
                if (withPassword.contains(account)) {
                    programs.run(List.of("usermod", "-p", "!", account));
                }
                programs.run(List.of("rm", "-rf", home(account) + "/.jobgate/" + directory.getFileName()));
                for (String lrm : List.of("-condor", "-slurm")) {
                    programs.run(List.of("rm", "-rf", home(account) + "/.jobgate/" + directory.getFileName() + lrm));
                }
            }
            new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The server itself, behind the programs that started it as its account. */
    private static boolean isJava(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/java");
    }

    /** What looks after jobs outlives a gateway. It names our spool. */
    private void endStarters() throws IOException {
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            if (commandLine(process.pid()).stream()
                    .anyMatch(word -> word.contains("/.jobgate/" + directory.getFileName()))) {
                process.destroy();
            }
        }
    }

    /** The words of a process; none if it has ended by now. */
    static List<String> commandLine(long pid) {
        try {
            String words = Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
            // each word ends in a zero, the last one too
            return words.isEmpty()
                    ? List.of()
                    : List.of(words.substring(0, words.length() - 1).split("\0", -1));
        } catch (IOException ended) {
            return List.of();
        }
    }

    /** All processes of the system, by their words. */
    static Stream<List<String>> commandLines() {
        return ProcessHandle.allProcesses().map(process -> commandLine(process.pid()));
    }
}
