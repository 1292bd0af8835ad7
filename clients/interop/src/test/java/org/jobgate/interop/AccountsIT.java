// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Three users, three accounts, one gateway without rights: everything of a job belongs to the account of its owner, no account reaches
 * anything of another's, and nothing of a client reaches sudo.
 */
class AccountsIT {

    private static final String A = "jobgate-a";
    private static final String B = "jobgate-b";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Every command line with the word sudo that was seen while the tests ran. */
    private static final Set<List<String>> SUDOS = ConcurrentHashMap.newKeySet();

    private static final Path LAB_PKI = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"))
            .resolve("gridftp/pki");
    private static final String LAB_PORT = System.getenv().getOrDefault("JOBGATE_LAB_GRIDFTP_PORT", "2811");

    private static SeparateAccounts site;
    private static Thread watcher;

    @BeforeAll
    static void start() throws Exception {
        List<Path> authorities = List.of();
        List<String> map = List.of();
        if (Files.exists(LAB_PKI.resolve("grid-mapfile"))) {
            try (Stream<Path> files = Files.list(LAB_PKI.resolve("certificates"))) {
                authorities = files.toList();
            }
            map = Files.readAllLines(LAB_PKI.resolve("grid-mapfile"));
        }
        // the server of the lab reaches all files of this machine
        site = SeparateAccounts.start(
                "staging: { allowLoopbackAddresses: true, servers: [ \"/=gsiftp://localhost:" + LAB_PORT
                        + "\" ] }\ncream: { gsiftpSandboxes: true }\n",
                authorities,
                map);
        watcher = Thread.ofPlatform().daemon().start(() -> {
            try {
                while (true) {
                    SeparateAccounts.commandLines()
                            .filter(words ->
                                    !words.isEmpty() && words.getFirst().endsWith("sudo"))
                            .filter(words -> words.toString().contains(site.directory.toString()))
                            .forEach(SUDOS::add);
                    Thread.sleep(50);
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @AfterAll
    static void stop() throws Exception {
        if (watcher != null) {
            watcher.interrupt();
            watcher.join();
        }
        if (site != null) {
            site.close();
        }
    }

    private static String job(String script, String stdout) {
        return "<job><executable>/bin/sh</executable><argument>-c</argument><argument>" + script + "</argument><stdout>"
                + stdout + "</stdout></job>";
    }

    private static String awaited(Path file, String end) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> Files.readString(file).contains(end));
        try {
            return Files.readString(file);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Path spool(String account) throws Exception {
        return Path.of(
                site.home(account), ".jobgate", site.directory.getFileName().toString());
    }

    @Test
    void aJobIsItsAccountsInAllThings() throws Exception {
        for (String account : SeparateAccounts.ACCOUNTS) {
            Path output = Path.of(site.home(account), "jobgate-it-" + site.directory.getFileName());
            String script = "id -un; id -gn; echo groups $(id -Gn); umask; pwd; echo $HOME $USER $LOGNAME; env | sort;"
                    + " echo process $$; echo end; exec sleep 300";
            site.submit(account, job(script, output.toString()));
            String said = awaited(output, "\nend\n");

            assertThat(said.lines().limit(2)).containsExactly(account, account);
            assertThat(said).contains("\n0077\n", "\n" + site.home(account) + "\n");
            assertThat(said).contains("\n" + site.home(account) + " " + account + " " + account + "\n");
            assertThat(said.contains(site.group)).isEqualTo(account.equals(A));
            assertThat(said).doesNotContain("SECRET_OF_THE_SERVICE", "SUDO_", "JAVA", site.service);
            assertThat(Files.getOwner(output).getName()).isEqualTo(account);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(output)))
                    .isEqualTo("rw-------");
            // by its number: other tests have jobs of the same account at the same time
            String process = processIn(said);
            await().atMost(PATIENCE)
                    .until(() -> SeparateAccounts.commandLine(Long.parseLong(process))
                            .equals(List.of("sleep", "300")));
            assertThat(Files.getOwner(Path.of("/proc", process)).getName()).isEqualTo(account);
            site.well("kill", process);
            Files.delete(output);
        }
        assertThat(site.well("ps", "-o", "user:32=", "-p", Long.toString(javaOfTheService()))
                        .strip())
                .isEqualTo(site.service);
    }

    /** The number of the process that a job's output tells. */
    private static String processIn(String said) {
        return said.lines()
                .filter(line -> line.startsWith("process "))
                .map(line -> line.substring("process ".length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process in " + said));
    }

    private static long javaOfTheService() {
        return ProcessHandle.allProcesses()
                .filter(process ->
                        SeparateAccounts.commandLine(process.pid()).contains("-Djobgate.home=" + site.path("jobgate")))
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    @Test
    void oneAccountReachesNothingOfAnothers() throws Exception {
        Path output = Path.of(site.home(A), "secret-" + site.directory.getFileName());
        String id = site.submit(
                A,
                job(
                        "echo MARK-OF-A; echo $X509_USER_PROXY; echo process $$; echo end; exec sleep 600",
                        output.toString()),
                "-J");
        String said = awaited(output, "\nend\n");
        String proxy = said.lines()
                .filter(line -> line.startsWith("/"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no proxy in " + said));
        Path spool = spool(A);

        assertThat(Files.getOwner(Path.of(proxy)).getName()).isEqualTo(A);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(proxy))))
                .isEqualTo("rw-------");
        String key = proxy.replaceFirst("\\.pem$", ".key");
        assertThat(modulus("x509", proxy))
                .isNotEmpty()
                .isEqualTo(modulus("rsa", proxy))
                .isEqualTo(modulus("rsa", key));
        for (String thief : List.of(B, "jobgate-c")) {
            for (String place : List.of(
                    output.toString(),
                    proxy,
                    key,
                    site.path("host/hostkey.pem"),
                    site.path("state/jobgate.db"),
                    site.path("state/logs/jobgate.log"))) {
                assertThat(site.as(thief, "cat " + place).output())
                        .as(thief + " reads " + place)
                        .contains("Permission denied");
            }
            for (String place : List.of(spool.toString(), site.home(A) + "/.jobgate", site.path("state"))) {
                assertThat(site.as(thief, "ls " + place).output())
                        .as(thief + " lists " + place)
                        .contains("Permission denied");
            }
            // other tests run jobs as the same account at the same time, in directories of their own
            String ofOthers =
                    "\\( -path '/tmp/jobgate-*' -o -path '/tmp/junit*' \\) -not -path '" + site.path("") + "*' -prune";
            assertThat(site.as(
                                    thief,
                                    "find " + site.home(A) + " /tmp /var/tmp " + ofOthers + " -o -user " + A
                                            + " -readable -type f -newer " + site.path("jobgate.yaml")
                                            + " -print 2>/dev/null")
                            .output()
                            .strip())
                    .as("readable files of the other")
                    .isEmpty();
            assertThat(site.as(thief, "curl -sS --unix-socket " + site.path("state/admin.sock") + " http://x/jobs")
                            .status())
                    .as("the admin socket")
                    .isNotZero();
            assertThat(site.fetch(thief, id + "/stdout")).contains("status 404").doesNotContain("MARK-OF-A");
        }
        assertThat(site.fetch(A, id + "/stdout")).contains("MARK-OF-A", "status 200");
        // what the account sees of its own, the gateway's account does not
        assertThat(site.as(site.service, "cat " + proxy).output()).contains("Permission denied");
        assertThat(site.as(site.service, "cat " + key).output()).contains("Permission denied");
        site.well("kill", processIn(said));
        Files.delete(output);
    }

    /** What openssl finds in the file; the key was made in the account, and fits the certificate that the gateway signed. */
    private String modulus(String kind, String file) throws Exception {
        return site.as(A, "openssl " + kind + " -noout -modulus -in " + file + " | grep Modulus=")
                .output()
                .strip();
    }

    private static String copy(String from, String to) {
        return "<transfer><sourceUrl>" + from + "</sourceUrl><destinationUrl>" + to + "</destinationUrl></transfer>";
    }

    /** The service, which has no privilege, never sees the key's file: the account's own worker reads it through sudo. */
    @Test
    void filesGoBySftpWithTheAccountsOwnKeys() throws Exception {
        try (SshServer server = SshServer.need(site)) {
            String mark = "sftp-" + site.directory.getFileName();
            Path in = Path.of(site.home(A), mark + "-in");
            Path out = Path.of(site.home(A), mark + "-out");
            site.as(A, "echo MARK-OF-SFTP > " + in);
            server.giveKeys(A);
            String moved = site.submit(
                    A,
                    "<job><executable>/bin/sh</executable><argument>-c</argument><argument>cat " + in
                            + ".copy > " + in + ".result; id -un >> " + in + ".result</argument><fileStageIn>"
                            + copy(server.url(in), "file://" + in + ".copy") + "</fileStageIn><fileStageOut>"
                            + copy("file://" + in + ".result", server.url(out)) + "</fileStageOut></job>");

            await().atMost(PATIENCE).until(() -> site.explain(moved).matches("(?s).*(CleanUp|Done|Failed).*"));
            assertThat(awaited(out, A)).as(site.explain(moved)).isEqualTo("MARK-OF-SFTP\n" + A + "\n");
            assertThat(Files.getOwner(out).getName()).isEqualTo(A);

            String id = site.submit(
                    B,
                    "<job><executable>/bin/true</executable><fileStageIn>"
                            + copy(server.url(in), "file://" + site.home(B) + "/" + mark) + "</fileStageIn></job>");
            await().atMost(PATIENCE).until(() -> site.explain(id).contains("Staging failed"));
            assertThat(site.explain(id)).contains("jobgate-b has no private key", "ssh-keygen");
            site.as(A, "rm -f " + in + "*  " + out);
        }
    }

    @Test
    void nothingOfAClientReachesSudo() throws Exception {
        Path output = Path.of(site.home(B), "marked-" + site.directory.getFileName());
        site.submit(
                B,
                "<job><executable>/bin/sh</executable><argument>-c</argument>"
                        + "<argument>echo $0 end MARK-IN-ARGUMENT</argument><argument>MARK-IN-ARGUMENT; $(id)</argument>"
                        + "<environment><name>MARK_NAME</name><value>MARK-IN-VALUE</value></environment><stdout>"
                        + output
                        + "</stdout></job>");
        awaited(output, "end");
        site.fetch(B, "6b8e5b3e-3f4e-4a5e-9d5e-0a1b2c3d4e5f/files/MARK-IN-PATH");
        await().atMost(PATIENCE).until(() -> !SUDOS.isEmpty());

        String worker = site.path("jobgate/perl/jobgate-worker");
        // -l: the doctor asks whether sudo would, in a test of its own
        for (List<String> words : SUDOS) {
            assertThat(words).hasSize(9);
            assertThat(String.join(" ", words))
                    .matches("/usr/bin/sudo -n -[Hl] -u jobgate-[abc] -- /usr/bin/perl " + worker + " [0-9a-f]{32}");
        }
        // and sudo itself takes nothing else
        for (String words : List.of(
                "/usr/bin/perl -e 1",
                "/usr/bin/perl " + worker + " 0123",
                "/usr/bin/perl " + worker + " " + "0".repeat(32) + " more",
                "/bin/sh")) {
            assertThat(site.as(site.service, "sudo -n -u " + B + " -- " + words).status())
                    .as(words)
                    .isNotZero();
        }
        assertThat(site.as(site.service, "sudo -n -u root -- /usr/bin/perl " + worker + " " + "0".repeat(32))
                        .status())
                .isNotZero();
        Files.delete(output);
    }

    private static final String FACTORY = "/bes/BESFactory";
    private static final String ATTRIBUTES =
            "<GetFactoryAttributesDocument xmlns=\"http://schemas.ggf.org/bes/2006/08/bes-factory\"/>";

    /** By Debian's own PAM, which tells the account's own process alone. */
    @Test
    void theSystemsOwnPasswordsLetPeopleIn() throws Exception {
        assumeTrue(
                site.as(A, "perl -MAuthen::PAM -e1").status() == 0,
                "SKIPPED: Perl's module Authen::PAM is missing; on Debian: apt-get install libauthen-pam-perl");
        String secret = "Pass-" + UUID.randomUUID();
        for (String account : SeparateAccounts.ACCOUNTS) {
            site.setPassword(account, secret + account);
        }
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Thread looker = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                SeparateAccounts.commandLines().forEach(words -> seen.add(String.join(" ", words)));
            }
        });
        try {
            assertThat(site.asNamed("user-" + A, secret + A, FACTORY, ATTRIBUTES))
                    .contains("status 200", "FactoryResourceAttributesDocument");
            Path output = Path.of(site.home(A), "named-" + site.directory.getFileName());
            assertThat(site.asNamed("user-" + A, secret + A, FACTORY, activity("id -un; echo end", output)))
                    .contains("status 200", "ActivityIdentifier");
            assertThat(awaited(output, "end")).isEqualTo(A + "\nend\n");
            Files.delete(output);

            site.well("chage", "-E", "1", B);
            Map<String, String> refused = new LinkedHashMap<>();
            refused.put("a wrong password", site.asNamed("user-" + A, secret, FACTORY, ATTRIBUTES));
            refused.put("no such name", site.asNamed("nobody-knows", secret + A, FACTORY, ATTRIBUTES));
            refused.put("an account that has expired", site.asNamed("user-" + B, secret + B, FACTORY, ATTRIBUTES));
            refused.put("an account's own name", site.asNamed(A, secret + A, FACTORY, ATTRIBUTES));
            refused.put(
                    "one that is not on the list",
                    site.asNamed("jobgate-c", secret + "jobgate-c", FACTORY, ATTRIBUTES));
            refused.forEach((what, said) -> {
                assertThat(said).as(what).contains("status 500", "FailedAuthentication", "do not fit");
                Matcher time = Pattern.compile("after ([0-9.]+)").matcher(said);
                assertThat(time.find()).isTrue();
                assertThat(Double.parseDouble(time.group(1))).as(what).isGreaterThanOrEqualTo(2.0);
            });
            assertThat(refused.values().stream()
                            .map(said -> said.replaceFirst("after .*", ""))
                            .distinct())
                    .hasSize(1);
            // of the fourth wrong one the wait is six seconds longer than the refusal takes, in which the right one can
            // be sent
            for (int i = 0; i < 3; i++) {
                await().atMost(PATIENCE)
                        .until(() -> site.asNamed("user-" + A, secret, FACTORY, ATTRIBUTES)
                                .contains("do not fit"));
            }
            assertThat(site.asNamed("user-" + A, secret + A, FACTORY, ATTRIBUTES))
                    .contains("status 500", "looked at in");
        } finally {
            looker.interrupt();
            looker.join();
            site.well("chage", "-E", "-1", B);
        }
        assertThat(seen).anyMatch(words -> words.contains("-u " + A + " -- /usr/bin/perl"));
        assertThat(seen).noneMatch(words -> words.contains(secret));
        assertThat(site.well("sh", "-c", "grep -rl " + secret + " " + site.path("state") + " || true"))
                .isEmpty();
        assertThat(Files.readString(site.directory.resolve("state/logs/jobgate.log")))
                .contains("does not take a password for the account " + A);
    }

    private static String activity(String script, Path output) {
        return "<CreateActivity xmlns=\"http://schemas.ggf.org/bes/2006/08/bes-factory\"><ActivityDocument>"
                + "<JobDefinition xmlns=\"http://schemas.ggf.org/jsdl/2005/11/jsdl\"><JobDescription><Application>"
                + "<HPCProfileApplication xmlns=\"http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa\"><Executable>/bin/sh</Executable>"
                + "<Argument>-c</Argument><Argument>" + script + "</Argument><Output>" + output
                + "</Output></HPCProfileApplication>"
                + "</Application></JobDescription></JobDefinition></ActivityDocument></CreateActivity>";
    }

    @Test
    void theDoctorFindsNothingBad() throws Exception {
        assertThat(site.asService("--doctor"))
                .doesNotContain("BAD ")
                .contains(
                        "a worker may be started as jobgate-a",
                        "a worker may be started as jobgate-c",
                        "there is a PAM service");
    }

    private static String creamOf(Programs user, String command, String... words) throws Exception {
        List<String> all = new ArrayList<>(
                List.of(Checkout.directory().resolve("bin/glite-ce-" + command).toString()));
        all.addAll(List.of(words));
        return user.runWell(all);
    }

    /** Globus's server and the gateway know the user as the same account: what the one writes the other's job runs. */
    @Test
    void theSandboxesOfCreamAreReachedByGsiftpAsTheSameAccount() throws Exception {
        Path folder = Files.createDirectory(site.directory.resolve("sandboxes"));
        try (GridFtpServers lab = GridFtpServers.need(folder)) {
            Path readable = folder.resolve("proxy.pem");
            site.well("install", "-m", "600", "-o", site.service, lab.proxy().toString(), readable.toString());
            assertThat(site.asServiceWith("X509_USER_PROXY=" + readable, "--doctor"))
                    .contains("ok      sandboxes: gsiftp://localhost:" + LAB_PORT + " maps " + lab.subject() + " to "
                            + A + ", as the gateway does.");
            // globus-url-copy takes nobody else's
            Path own = folder.resolve("own.pem");
            site.well("install", "-m", "600", lab.proxy().toString(), own.toString());
            Programs user = new Programs(
                    site.directory,
                    Map.of(
                            "X509_USER_PROXY", own.toString(),
                            "X509_CERT_DIR", site.path("ca/certificates")));
            String contact = "localhost:" + site.port();
            Path program = Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\nid -un; cat data\n");
            Path data = Files.writeString(folder.resolve("data"), "brought by gsiftp\n");
            Path jdl = Files.writeString(
                    folder.resolve("job.jdl"),
                    "Executable = \"run.sh\"; StdOutput = \"out\"; InputSandbox = { \"" + program + "\", \"" + data
                            + "\" }; OutputSandbox = { \"out\" }; OutputSandboxBaseDestURI = \"gsiftp://localhost\";");
            // globus-url-copy brings the files: it is what the command calls
            String job = creamOf(user, "job-submit", "-n", "-a", "-r", contact + "/cream-fork-default", jdl.toString())
                    .strip();
            String id = job.substring(job.lastIndexOf('/') + 1);
            String sandbox = "gsiftp://localhost:" + LAB_PORT + site.home(A) + "/.jobgate/cream/" + id;

            await().atMost(PATIENCE)
                    .until(() -> creamOf(user, "job-status", job).contains("[DONE-"));

            assertThat(creamOf(user, "job-status", "-L", "2", job))
                    .contains("[DONE-OK]", sandbox + "/ISB", sandbox + "/OSB");
            user.runWell(List.of("globus-url-copy", sandbox + "/OSB/out", "file://" + folder + "/fetched"));
            assertThat(folder.resolve("fetched")).hasContent(A + "\nbrought by gsiftp");
            Path brought = Path.of(site.home(A), ".jobgate/cream", id, "ISB/data");
            assertThat(Files.getOwner(brought).getName()).isEqualTo(A);
            creamOf(user, "job-output", "-n", "-D", folder.toString(), job);
            assertThat(folder.resolve(job.replace("https://", "").replaceAll("[/:]", "_"))
                            .resolve("out"))
                    .hasContent(A + "\nbrought by gsiftp");
            creamOf(user, "job-purge", "-N", job);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(brought).doesNotExist());
        }
    }
}
