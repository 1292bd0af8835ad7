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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proxies of {@code jobgate proxy} before the grid's own tools, and theirs before ours and before the gateway. */
@ExtendWith(OneGateway.class)
class GridProxiesIT {

    private static final String PASSPHRASE = "interop secret";
    private static final int REFUSED = 252;

    private final Gateway gateway;

    @TempDir
    Path folder;

    GridProxiesIT(Gateway gateway) {
        this.gateway = gateway;
    }

    private static void needs(String program, String debianPackage) {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", program)),
                "SKIPPED: no " + program + " (Debian: " + debianPackage + ")");
    }

    private Programs.Result run(Path proxy, Path input, String command, String... words) throws Exception {
        List<String> all = new ArrayList<>();
        all.add(
                command.startsWith("/")
                        ? command
                        : Checkout.directory().resolve("bin/" + command).toString());
        all.addAll(List.of(words));
        return new Programs(
                        folder,
                        Map.of(
                                "HOME", folder.toString(),
                                "X509_USER_PROXY", proxy.toString(),
                                "X509_CERT_DIR", gateway.trustDirectory().toString()))
                .run(all, input);
    }

    private String runWell(Path proxy, String command, String... words) throws Exception {
        Programs.Result result = run(proxy, Path.of("/dev/null"), command, words);
        assertThat(result.status()).as("%s: %s", command, result.output()).isZero();
        return result.output();
    }

    private Path userKey() {
        return gateway.userCertificate().resolveSibling("userkey.pem");
    }

    private void aJobRunsWith(Path proxy) throws Exception {
        runWell(proxy, "globusrun-ws", "-submit", "-F", "localhost:" + gateway.port(), "-c", "/bin/true");
    }

    @ParameterizedTest
    @CsvSource({
        "--limited,RFC 3820 compliant limited proxy,limited",
        "--independent,RFC 3820 compliant independent proxy,independent",
        "--bits=3072,RFC 3820 compliant impersonation proxy,full",
    })
    void theirInfoTakesOurProxies(String option, String theirs, String ours) throws Exception {
        needs("grid-proxy-info", "globus-proxy-utils");
        Path proxy = folder.resolve("ours.pem");
        runWell(
                proxy,
                "jobgate",
                "proxy",
                "init",
                "--cert",
                gateway.userCertificate().toString(),
                "--hours",
                "3",
                option);

        assertThat(runWell(proxy, "/usr/bin/grid-proxy-info", "-type").strip()).isEqualTo(theirs);
        assertThat(runWell(proxy, "/usr/bin/grid-proxy-info", "-identity").strip())
                .isEqualTo(runWell(proxy, "jobgate", "proxy", "info", "--print", "identity")
                        .strip());
        runWell(proxy, "/usr/bin/grid-proxy-info", "-exists", "-valid", "2:30");
        assertThat(runWell(proxy, "jobgate", "proxy", "info", "--print", "type"))
                .startsWith(ours);
        assertThat(runWell(proxy, "/usr/bin/grid-proxy-info", "-strength").strip())
                .isEqualTo(option.startsWith("--bits") ? "3072" : "2048");
    }

    @Test
    void ourInfoAndTheGatewayTakeTheirsWithAKeyThatIsLocked() throws Exception {
        needs("grid-proxy-init", "globus-proxy-utils");
        Path secret = Files.writeString(folder.resolve("secret"), PASSPHRASE + "\n");
        Path locked = folder.resolve("locked.pem");
        runWell(
                secret,
                "/usr/bin/openssl",
                "rsa",
                "-aes256",
                "-in",
                userKey().toString(),
                "-out",
                locked.toString(),
                "-passout",
                "file:" + secret);
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r--------"));
        Path theirs = folder.resolve("theirs.pem");
        Programs.Result made = run(
                theirs,
                secret,
                "/usr/bin/grid-proxy-init",
                "-pwstdin",
                "-verify",
                "-cert",
                gateway.userCertificate().toString(),
                "-key",
                locked.toString(),
                "-out",
                theirs.toString());
        assertThat(made.status()).as(made.output()).isZero();
        assertThat(runWell(theirs, "jobgate", "proxy", "info")).contains("type     : full proxy (RFC 3820)");
        aJobRunsWith(theirs);

        Path ours = folder.resolve("ours.pem");
        Programs.Result unlocked = run(
                ours,
                secret,
                "jobgate",
                "proxy",
                "init",
                "--passphrase-stdin",
                "--cert",
                gateway.userCertificate().toString(),
                "--privkey",
                locked.toString());
        assertThat(unlocked.status()).as(unlocked.output()).isZero();
        aJobRunsWith(ours);

        // one level more, by them from ours and by us from theirs
        Path second = folder.resolve("second.pem");
        runWell(second, "jobgate", "proxy", "init", "--cert", theirs.toString(), "--key", "ecdsa");
        aJobRunsWith(second);
        runWell(ours, "jobgate", "proxy", "destroy");
        assertThat(ours).doesNotExist();
    }

    @Test
    void aVomsRoleIsWhatAJobIsMappedBy() throws Exception {
        needs("voms-proxy-fake", "voms-clients");
        Path plain = folder.resolve("plain.pem");
        Path voms = folder.resolve("voms.pem");
        runWell(
                plain,
                Checkout.directory().resolve("bin/jobgate").toString(),
                "ca",
                "user",
                "--dir",
                gateway.trustDirectory().resolve("..").toString(),
                "--out",
                folder.resolve("vera").toString(),
                "Vera Voms");
        String certificate = folder.resolve("vera/usercert.pem").toString();
        String key = folder.resolve("vera/userkey.pem").toString();
        runWell(plain, "/usr/bin/voms-proxy-init", "-rfc", "-cert", certificate, "-key", key, "-out", plain.toString());
        runWell(
                voms,
                "/usr/bin/voms-proxy-fake",
                "-rfc",
                "-cert",
                certificate,
                "-key",
                key,
                "-certdir",
                gateway.trustDirectory().toString(),
                "-out",
                voms.toString(),
                "-hostcert",
                gateway.hostCertificate().toString(),
                "-hostkey",
                gateway.hostKey().toString(),
                "-voms",
                TestIssuers.VO,
                "-uri",
                "localhost:15000",
                "-fqan",
                TestIssuers.FQAN + "/Capability=NULL");

        assertThat(runWell(voms, "jobgate", "proxy", "info", "--print", "vo,fqan")
                        .lines())
                .containsExactly(TestIssuers.VO, TestIssuers.FQAN + "/Capability=NULL");
        Programs.Result without = run(
                plain,
                Path.of("/dev/null"),
                "globusrun-ws",
                "-submit",
                "-b",
                "-F",
                "localhost:" + gateway.port(),
                "-c",
                "/bin/true");
        assertThat(without.status()).as(without.output()).isEqualTo(REFUSED);
        Path out = folder.resolve("who");
        runWell(
                voms,
                "globusrun-ws",
                "-submit",
                "-F",
                "localhost:" + gateway.port(),
                "-so",
                out.toString(),
                "-c",
                "/usr/bin/id",
                "-un");
        assertThat(Files.readString(out).strip()).isEqualTo(System.getProperty("user.name"));
        assertThat(gateway.log()).contains("subject=\"/O=Jobgate Trial/CN=Vera Voms\" method=\"tls\" by=\"fqan-map\"");
        aJobOfCreamRunsWith(voms);
    }

    /** By the certificate alone the user has no account. */
    private void aJobOfCreamRunsWith(Path voms) throws Exception {
        Path jdl = Files.writeString(folder.resolve("job.jdl"), "Executable = \"/bin/true\";");
        String contact = "localhost:" + gateway.port();
        String job = runWell(voms, "glite-ce-job-submit", "-a", "-r", contact + "/cream-fork-default", jdl.toString())
                .strip();

        await().atMost(Duration.ofMinutes(3))
                .until(() -> runWell(voms, "glite-ce-job-status", job).contains("[DONE-OK]"));
    }
}
