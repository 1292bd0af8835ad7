// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyChainType;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.Credential;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What is made is judged by canl, the library that the server uses; real grid tools judge it in GridProxiesIT. */
class ProxyCommandTest {
    private static final String PASSPHRASE = "pass phrase with ümlaut";

    @TempDir
    Path folder;

    private Path home = Path.of("/nowhere");
    private Path temporary = Path.of("/nowhere");
    private @Nullable TrialCertificates authority;

    private record Ended(int status, String output) {}

    @BeforeEach
    void aUserLikeAllOthers() throws Exception {
        TrialCertificates made = TrialCertificates.make(folder.resolve("authority"), "ecdsa");
        authority = made;
        home = Files.createDirectories(folder.resolve("home"));
        temporary = Files.createDirectories(folder.resolve("tmp"));
        Files.createDirectories(home.resolve(".globus"));
        Files.copy(made.userCertificate(), home.resolve(".globus/usercert.pem"));
        Files.copy(made.userKey(), home.resolve(".globus/userkey.pem"));
    }

    private TrialCertificates made() {
        return requireNonNull(authority);
    }

    private Ended run(String... words) {
        return run(Map.of(), "", Clock.systemUTC(), words);
    }

    private Ended run(Map<String, String> environment, String input, Clock clock, String... words) {
        StringWriter out = new StringWriter();
        ProxyCommand command = new ProxyCommand(
                new ProxyPlaces(environment, home, temporary),
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                clock);
        CommandLine line = new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out));
        line.setExecutionExceptionHandler((e, failed, parsed) -> {
            out.write(e.getMessage() + "\n");
            return 1;
        });
        int status = line.execute(words);
        return new Ended(status, out.toString());
    }

    private Path usual() throws Exception {
        return temporary.resolve("x509up_u" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static X509Certificate[] chain(Path file) throws Exception {
        return Credential.read(file, file, () -> new char[0]).chain().toArray(X509Certificate[]::new);
    }

    private String canl(Path proxy) throws Exception {
        OpensslCertChainValidator validator = new OpensslCertChainValidator(
                made().trust().toString(), NamespaceCheckingMode.EUGRIDPMA_AND_GLOBUS_REQUIRE, -1);
        try {
            return validator.validate(chain(proxy)).toString();
        } finally {
            validator.dispose();
        }
    }

    @Test
    void withoutAnyOptionTheUsualPlacesAreTaken() throws Exception {
        Ended ended = run("init");
        assertThat(ended.output()).contains("Identity: /O=Jobgate Trial/CN=Alice Tester", usual().toString());
        assertThat(ended.status()).isZero();
        assertThat(canl(usual())).isEqualTo("OK");
        assertThat(new ProxyChainInfo(chain(usual())).getProxyType()).isEqualTo(ProxyChainType.RFC3820);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(usual())))
                .isEqualTo("rw-------");
        assertThat(Duration.between(
                        Instant.now(), chain(usual())[0].getNotAfter().toInstant()))
                .isBetween(Duration.ofMinutes(715), Duration.ofHours(12));
    }

    @Test
    void theEnvironmentNamesOtherPlaces() throws Exception {
        Path proxy = folder.resolve("named");
        Map<String, String> environment = Map.of(
                "X509_USER_PROXY", proxy.toString(),
                "X509_USER_CERT", made().userCertificate().toString(),
                "X509_USER_KEY", made().userKey().toString());
        Files.delete(home.resolve(".globus/usercert.pem"));
        Ended ended = run(environment, "", Clock.systemUTC(), "init");
        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(canl(proxy)).isEqualTo("OK");
        assertThat(run(environment, "", Clock.systemUTC(), "destroy").output()).contains("Removed: " + proxy);
        assertThat(proxy).doesNotExist();
    }

    @Test
    void limitedAndIndependentProxiesAreWhatTheySay() throws Exception {
        run("init", "--limited", "--out", folder.resolve("l").toString());
        run("init", "--independent", "--out", folder.resolve("i").toString());
        assertThat(new ProxyChainInfo(chain(folder.resolve("l"))).isLimited()).isTrue();
        assertThat(chain(folder.resolve("i"))[0].getExtensionValue("1.3.6.1.5.5.7.1.14"))
                .contains(0x2B, 6, 1, 5, 5, 7, 21, 2);
        assertThat(run("info", "--print", "type", "--file", folder.resolve("i").toString())
                        .output())
                .startsWith("independent");
        assertThat(run("init", "--limited", "--independent").output()).contains("not both");
    }

    @Test
    void aProxyOfALimitedOneIsLimitedAndOneOfDepth0HasNone() {
        String limited = folder.resolve("l").toString();
        String end = folder.resolve("end").toString();
        String more = folder.resolve("more").toString();
        assertThat(run("init", "--limited", "--out", limited).status()).isZero();
        assertThat(run("init", "--cert", limited, "--independent", "--depth", "0", "--out", end)
                        .output())
                .contains("limited proxy");
        Ended refused = run("init", "--cert", end, "--out", more);
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.output()).contains("allows no further proxy");
        assertThat(Path.of(more)).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"rsa,3072,RSA", "rsa,2048,RSA", "ecdsa,256,EC", "ecdsa,384,EC"})
    void theKeyIsAsStrongAsAskedFor(String kind, int bits, String algorithm) throws Exception {
        run("init", "--key", kind, "--bits", Integer.toString(bits));
        assertThat(chain(usual())[0].getPublicKey().getAlgorithm()).isEqualTo(algorithm);
        assertThat(run("info", "--print", "strength").output().strip()).isEqualTo(Integer.toString(bits));
        assertThat(canl(usual())).isEqualTo("OK");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--bits 1024|is not made. For RSA choose one of [2048",
                "--hours 0|--hours 0 is not from 1",
                "--depth -1|below 0",
            })
    void whatCannotBeIsRefused(String words, String sentence) throws Exception {
        List<String> all = new ArrayList<>(List.of("init"));
        all.addAll(List.of(words.split(" ")));
        Ended ended = run(all.toArray(String[]::new));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).contains(sentence);
        assertThat(usual()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pkcs8 -topk8 -v2 aes-256-cbc", "ec -aes256"})
    void aLockedKeyIsOpenedWithThePassPhraseOfStandardInput(String openssl) throws Exception {
        lock(openssl);
        Ended good = run(Map.of(), PASSPHRASE + "\n", Clock.systemUTC(), "init", "--passphrase-stdin");
        assertThat(good.status()).as(good.output()).isZero();
        assertThat(canl(usual())).isEqualTo("OK");
        Files.delete(usual());
        Ended wrong = run(Map.of(), "another\n", Clock.systemUTC(), "init", "--passphrase-stdin");
        assertThat(wrong.output()).contains("userkey.pem cannot be used", "the pass phrase is wrong");
        assertThat(usual()).doesNotExist();
    }

    private void lock(String openssl) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no /usr/bin/openssl: SKIPPED, install openssl");
        Path key = home.resolve(".globus/userkey.pem");
        Path secret = Files.writeString(folder.resolve("secret"), PASSPHRASE + "\n");
        List<String> command = new ArrayList<>(List.of("/usr/bin/openssl"));
        command.addAll(List.of(openssl.split(" ")));
        command.addAll(
                List.of("-in", made().userKey().toString(), "-out", key.toString(), "-passout", "file:" + secret));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(key)).contains("ENCRYPTED");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void aLockedKeyWithoutATerminalSaysWhatToDo() throws Exception {
        lock("pkcs8 -topk8 -v2 aes-256-cbc");
        assertThat(run("init").output()).contains("--passphrase-stdin");
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws Exception {
        Files.setPosixFilePermissions(
                home.resolve(".globus/userkey.pem"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run("init").output()).contains("chmod 600");
    }

    @Test
    void aLinkInTheUsualPlaceIsReplacedAndNotFollowed() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Files.createSymbolicLink(usual(), victim);
        assertThat(run("init").status()).isZero();
        assertThat(victim).hasContent("precious");
        assertThat(Files.isSymbolicLink(usual())).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(usual())))
                .isEqualTo("rw-------");
    }

    @Test
    void infoTellsAllAndTestsWhatIsAsked() throws Exception {
        assertThat(run("info", "--exists").status()).isEqualTo(1);
        Ended none = run("info");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.output()).contains(usual().toString(), "it does not exist");
        run("init", "--hours", "5");
        assertThat(run("info").output())
                .contains("issuer   : /O=Jobgate Trial/CN=Alice Tester", "type     : full proxy (RFC 3820)")
                .contains("strength : 2048 bits RSA", "path     : " + usual())
                .containsPattern("timeleft : 4:59:[0-9]{2}");
        assertThat(run("info", "--print", "identity,path").output().lines())
                .containsExactly("/O=Jobgate Trial/CN=Alice Tester", usual().toString());
        assertThat(run("info", "--exists", "--valid", "4:30", "--bits", "2048").status())
                .isZero();
        assertThat(run("info", "--exists", "--valid", "5:30").status()).isEqualTo(1);
        assertThat(run("info", "--exists", "--bits", "3072").status()).isEqualTo(1);
        Clock later = Clock.fixed(Instant.now().plus(Duration.ofHours(6)), ZoneOffset.UTC);
        Ended expired = run(Map.of(), "", later, "info");
        assertThat(expired.status()).isEqualTo(1);
        assertThat(expired.output()).contains("timeleft : 0:00:00 (expired)");
        assertThat(run(Map.of(), "", later, "info", "--exists").status()).isEqualTo(1);
    }

    @Test
    void destroyOverwritesBeforeItRemoves() throws Exception {
        run("init");
        Path second = Files.createLink(folder.resolve("second-name"), usual());
        long size = Files.size(second);
        assertThat(run("destroy").status()).isZero();
        assertThat(usual()).doesNotExist();
        assertThat(Files.readAllBytes(second)).hasSize((int) size).containsOnly(0);
        Ended again = run("destroy");
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.output()).contains("There is no proxy in " + usual());
    }

    @Test
    void destroyLeavesLinksAndDirectoriesAlone() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Path link = Files.createSymbolicLink(folder.resolve("link"), victim);
        assertThat(run("destroy", link.toString()).output()).contains("not a regular file");
        assertThat(run("destroy", folder.toString()).output()).contains("not a regular file");
        assertThat(victim).hasContent("precious");
    }

    @Test
    void getNeedsToKnowTheServer() {
        assertThat(run("get", "--passphrase-stdin").output()).contains("MYPROXY_SERVER");
        assertThat(run("get", "--server", "localhost:99999").output()).contains("not a number from 1 to 65535");
        assertThat(run("get", "--server", "localhost:1", "--user", "a\nCOMMAND=1", "--passphrase-stdin")
                        .output())
                .contains("is not sent");
    }
}
