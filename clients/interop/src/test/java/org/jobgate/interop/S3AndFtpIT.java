// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Files of jobs at an S3 store (Versity's gateway), with the keys of the job's account, and at an anonymous FTP server (vsftpd). The
 * service has no right to read the keys: the account's own worker does.
 */
class S3AndFtpIT {

    private static final String A = "jobgate-a";
    private static final String B = "jobgate-b";
    private static final String SECRET = "through-the-looking-glass";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SIZE = 6_000_001;
    private static final Path VERSITYGW = Path.of(System.getenv().getOrDefault("JOBGATE_LAB", "/var/lib/jobgate-lab"))
            .resolve("file-servers/bin/versitygw");
    private static final Path VSFTPD = Path.of("/usr/sbin/vsftpd");

    private static final List<Process> SERVERS = new ArrayList<>();
    private static final byte[] CONTENT = new byte[SIZE];

    private static SeparateAccounts site;
    private static String mark;
    private static int ftpPort;

    @BeforeAll
    static void start() throws Exception {
        for (Path program : List.of(VERSITYGW, VSFTPD)) {
            assumeTrue(
                    Files.isExecutable(program),
                    "SKIPPED: there is no " + program + "; install it with: docker/lab/file-servers up");
        }
        new Random(SIZE).nextBytes(CONTENT);
        int storePort = Ports.free();
        ftpPort = Ports.free();
        site = SeparateAccounts.start(
                "staging: { allowLoopbackAddresses: true, protocols: [ file, https, gsiftp, ftp ], s3Endpoint: \"https://localhost:"
                        + storePort + "\", s3Region: here-1, firstRetry: 200ms }\n");
        mark = site.directory.getFileName().toString();
        startStore(storePort);
        startFtp();
        site.as(
                A,
                "cd " + site.home(A)
                        + " && if [ -e .aws ]; then mv .aws .aws.aside; fi && mkdir -m 700 .aws && umask 077"
                        + " && printf '[default]\\naws_access_key_id = alice\\naws_secret_access_key = " + SECRET
                        + "\\n' > .aws/credentials");
    }

    private static void serve(int port, Map<String, String> environment, List<String> command) throws IOException {
        Path log = site.directory.resolve("server-" + port + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        SERVERS.add(process);
        await(command.getFirst()).atMost(PATIENCE).ignoreExceptions().until(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return true;
            }
        });
    }

    private static void startStore(int port) throws IOException {
        Files.createDirectories(store("bucket"));
        serve(
                port,
                Map.of("ROOT_ACCESS_KEY", "alice", "ROOT_SECRET_KEY", SECRET),
                List.of(
                        VERSITYGW.toString(),
                        "--port",
                        "127.0.0.1:" + port,
                        "--region",
                        "here-1",
                        "--cert",
                        site.path("host/hostcert.pem"),
                        "--key",
                        site.path("host/hostkey.pem"),
                        "posix",
                        store("").toString()));
    }

    private static Path store(String name) {
        return site.directory.resolve("store").resolve(name);
    }

    private static void startFtp() throws IOException, InterruptedException {
        Files.createDirectories(ftp(""));
        Files.createDirectory(site.directory.resolve("empty"));
        site.well("chown", "ftp", ftp("").toString());
        Path config = Files.writeString(site.directory.resolve("vsftpd.conf"), """
                listen=YES
                listen_address=127.0.0.1
                listen_port=%d
                background=NO
                anonymous_enable=YES
                local_enable=NO
                write_enable=YES
                anon_root=%s
                anon_upload_enable=YES
                anon_mkdir_write_enable=YES
                anon_other_write_enable=YES
                anon_umask=022
                secure_chroot_dir=%s
                seccomp_sandbox=NO
                """.formatted(
                        ftpPort, ftp("").getParent(), site.directory.resolve("empty")));
        serve(ftpPort, Map.of(), List.of(VSFTPD.toString(), config.toString()));
    }

    private static Path ftp(String name) {
        return site.directory.resolve("ftp/pub").resolve(name);
    }

    private static String ftpUrl(String name) {
        return "ftp://localhost:" + ftpPort + "/pub/" + name;
    }

    @AfterAll
    static void stop() throws Exception {
        if (site == null) {
            return;
        }
        for (Process server : SERVERS) {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly();
            assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        site.as(
                A,
                "cd " + site.home(A) + " && rm -rf .aws " + mark
                        + "-* && if [ -e .aws.aside ]; then mv .aws.aside .aws; fi");
        site.close();
    }

    private static String copy(String from, String to) {
        return "<transfer><sourceUrl>" + from + "</sourceUrl><destinationUrl>" + to + "</destinationUrl></transfer>";
    }

    private static Path home(String account, String name) throws Exception {
        return Path.of(site.home(account), mark + "-" + name);
    }

    /** Fetches it, copies it, sends the copy, and removes the first at both ends. */
    private static String job(String account, String from, String to, String name) throws Exception {
        Path in = home(account, name + "-in");
        Path out = home(account, name + "-out");
        return "<job><executable>/bin/cp</executable><argument>" + in + "</argument><argument>" + out
                + "</argument><fileStageIn>" + copy(from, "file://" + in) + "</fileStageIn><fileStageOut>"
                + copy("file://" + out, to) + "</fileStageOut><fileCleanUp><deletion><file>" + from
                + "</file></deletion><deletion><file>file://" + in + "</file></deletion></fileCleanUp></job>";
    }

    /** What is said of a job that is over. */
    private static String ended(String id) throws Exception {
        await(id).atMost(PATIENCE).until(() -> site.explain(id).matches("(?s).*(Done|Failed).*"));
        return site.explain(id);
    }

    private static void assertCameAndWent(String account, String name, String said) throws Exception {
        assertThat(home(account, name + "-out")).as(said).hasBinaryContent(CONTENT);
        assertThat(Files.getOwner(home(account, name + "-out")).getName()).isEqualTo(account);
        assertThat(home(account, name + "-in")).doesNotExist();
    }

    @Test
    void filesComeFromAndGoToAStoreWithTheAccountsKeys() throws Exception {
        Files.write(store("bucket/source file"), CONTENT);

        String said = ended(site.submit(A, job(A, "s3://bucket/source%20file", "s3://bucket/new/copy", "s3")));

        assertCameAndWent(A, "s3", said);
        assertThat(store("bucket/new/copy")).as(said).hasBinaryContent(CONTENT);
        assertThat(store("bucket/source file")).doesNotExist();
        assertThat(Files.readString(Path.of(site.path("state/logs/jobgate.log"))))
                .doesNotContain(SECRET);
        assertThat(said).doesNotContain(SECRET);
    }

    /** One file of an activity comes from the store, and its copy goes to the store and to the FTP server, by two elements. */
    @Test
    void filesOfAnActivityComeFromAStoreAndGoToSeveralPlaces() throws Exception {
        Files.write(store("bucket/for the activity"), CONTENT);
        String work = mark + "-bes";
        String created = site.post(
                A,
                "\"\"",
                envelope(
                        "<b:CreateActivity><b:ActivityDocument><JobDefinition xmlns='http://schemas.ggf.org/jsdl/2005/11/jsdl'>"
                                + "<JobDescription><Application><p:POSIXApplication xmlns:p='http://schemas.ggf.org/jsdl/2005/11/jsdl-posix'>"
                                + "<p:Executable>/bin/cp</p:Executable><p:Argument>in</p:Argument><p:Argument>out</p:Argument><p:WorkingDirectory>"
                                + work + "</p:WorkingDirectory></p:POSIXApplication></Application>"
                                + staged("in", "<Source><URI>s3://bucket/for%20the%20activity</URI></Source>")
                                + staged("out", "<Target><URI>s3://bucket/of/the-activity</URI></Target>")
                                + staged("out", "<Target><URI>" + ftpUrl("of-the-activity") + "</URI></Target>")
                                + "</JobDescription></JobDefinition></b:ActivityDocument></b:CreateActivity>"));
        assertThat(created).contains("status 200");
        Matcher id = Pattern.compile("activity=([0-9a-f-]{36})").matcher(created);
        assertThat(id.find()).as(created).isTrue();

        String said = ended(id.group(1));

        assertThat(home(A, "bes").resolve("out")).as(said).hasBinaryContent(CONTENT);
        assertThat(store("bucket/of/the-activity")).as(said).hasBinaryContent(CONTENT);
        assertThat(ftp("of-the-activity")).as(said).hasBinaryContent(CONTENT);
    }

    private static String staged(String name, String where) {
        return "<DataStaging><FileName>" + name + "</FileName><CreationFlag>overwrite</CreationFlag>" + where
                + "</DataStaging>";
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/' xmlns:b='http://schemas.ggf.org/bes/2006/08/bes-factory'>"
                + "<s:Body>" + body + "</s:Body></s:Envelope>";
    }

    @Test
    void whoHasNoKeysAndWhatIsNotThereIsSaid() throws Exception {
        Files.write(store("bucket/for-nobody"), new byte[] {1});
        String without = ended(site.submit(B, job(B, "s3://bucket/for-nobody", "s3://bucket/x", "none")));
        assertThat(without).contains("Failed", "Staging failed", "from s3://bucket/for-nobody", ".aws/credentials");
        assertThat(store("bucket/for-nobody")).exists();

        String missing = ended(site.submit(A, job(A, "s3://bucket/missing", "s3://bucket/x", "missing")));
        assertThat(missing).contains("Failed", "Staging failed", "s3://bucket/missing");
        assertThat(store("bucket/x")).doesNotExist();
    }

    @Test
    void filesComeFromAndGoToAnFtpServer() throws Exception {
        Files.write(ftp("source"), CONTENT);
        site.well("chown", "ftp", ftp("source").toString());

        String said = ended(site.submit(B, job(B, ftpUrl("source"), ftpUrl("new/copy"), "ftp")));

        assertCameAndWent(B, "ftp", said);
        assertThat(ftp("new/copy")).as(said).hasBinaryContent(CONTENT);
        assertThat(ftp("source")).doesNotExist();
        try (var files = Files.list(ftp("new"))) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).containsExactly("copy");
        }
        Files.delete(home(B, "ftp-out"));

        String missing = ended(site.submit(B, job(B, ftpUrl("missing"), ftpUrl("x"), "missing")));
        assertThat(missing).contains("Failed", "Staging failed", ftpUrl("missing"));
        assertThat(ftp("x")).doesNotExist();
    }
}
