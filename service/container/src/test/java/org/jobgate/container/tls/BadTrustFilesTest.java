// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.OCSPCheckingMode;
import eu.emi.security.authn.x509.OCSPParametes;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that say whom to trust, with every bad content: no other file suffers, no revocation is lifted, and it is said. */
@Timeout(300)
class BadTrustFilesTest {

    private static final Forge.Made GOOD =
            Forge.authority("CN=Good,O=Grid", null).selfSigned();
    private static final Forge.Made OTHER =
            Forge.authority("CN=Other,O=Grid", null).selfSigned();
    private static final Forge.Made ALICE = Forge.user("CN=Alice,O=Grid").signedBy(GOOD);
    private static final Forge.Made BOB = Forge.user("CN=Bob,O=Grid").signedBy(OTHER);
    private static final Forge.Made EVE = Forge.user("CN=Eve,O=Grid").signedBy(OTHER);

    @TempDir
    Path folder;

    private Path trust = Path.of("");

    /** Puts something bad in the place of the file. */
    interface Spoiler {
        void spoil(Path file) throws Exception;
    }

    record Bad(String name, Spoiler spoiler) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Bad text(String name, String text) {
        return new Bad(name, file -> Files.writeString(file, text));
    }

    static Stream<Bad> bad() {
        byte[] random = new byte[10_000];
        new Random(7).nextBytes(random);
        return Stream.of(
                text("empty", ""),
                text("comments only", "# nothing\n\n# at all\n"),
                text("garbage", "!!! ===\n"),
                new Bad("random bytes", file -> Files.write(file, random)),
                text("a certificate that ends early", "-----BEGIN CERTIFICATE-----\nMIIB\n"),
                text("a certificate that is none", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"),
                text("a list that is none", "-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----\n"),
                text("a rule that ends early", "TO Issuer"),
                text("a rule with an attribute that nobody knows", "TO Issuer \"/foo=x\" PERMIT Subject \"/O=.*\"\n"),
                text("a policy that ends early", "access_id_CA X509 '/CN=x"),
                new Bad("a directory", file -> {
                    Files.deleteIfExists(file);
                    Files.createDirectory(file);
                }),
                new Bad("a link to nowhere", file -> {
                    Files.deleteIfExists(file);
                    Files.createSymbolicLink(file, Path.of("/nowhere/at/all"));
                }),
                new Bad("a pipe that nobody writes into", file -> {
                    Files.deleteIfExists(file);
                    assertThat(new ProcessBuilder("mkfifo", file.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
                }),
                new Bad("a device that never ends", file -> {
                    Files.deleteIfExists(file);
                    Files.createSymbolicLink(file, Path.of("/dev/zero"));
                }));
    }

    @BeforeEach
    void install() throws IOException {
        trust = Files.createDirectories(folder.resolve("trust"));
        TestPki.write(of(GOOD, ".0"), GOOD.certificate());
        TestPki.write(of(OTHER, ".0"), OTHER.certificate());
    }

    private Path of(Forge.Made authority, String ending) {
        String hash =
                OpensslTruststoreHelper.getOpenSSLCAHash(authority.certificate().getSubjectX500Principal(), true);
        return trust.resolve(hash + ending);
    }

    private TrustDirectory directory() {
        TrustDirectory directory = new TrustDirectory(trust, NamespaceCheckingMode.EUGRIDPMA_GLOBUS);
        directory.look();
        return directory;
    }

    private static boolean isGood(TrustDirectory directory, Forge.Made user) {
        DirectoryValidator validator = new DirectoryValidator(
                directory,
                NamespaceCheckingMode.EUGRIDPMA_GLOBUS,
                new RevocationParameters(CrlCheckingMode.IF_VALID, new OCSPParametes(OCSPCheckingMode.IGNORE)),
                new KeyStrength(2048),
                Clock.systemUTC());
        return validator.validate(user.credential().chain()).isValid();
    }

    private static void looks(TrustDirectory directory, int times) {
        for (int i = 0; i < times; i++) {
            directory.look();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void aBadAuthorityIsLeftOutAlone(Bad bad) throws Exception {
        bad.spoiler().spoil(of(OTHER, ".0"));
        TrustDirectory directory = directory();
        assertThat(isGood(directory, ALICE)).isTrue();
        assertThat(isGood(directory, BOB)).isFalse();
        assertThat(directory.snapshot().troubles())
                .anySatisfy(
                        trouble -> assertThat(trouble).contains(of(OTHER, ".0").toString(), "left out"));

        Files.delete(of(OTHER, ".0"));
        TestPki.write(of(OTHER, ".0"), OTHER.certificate());
        directory.look();
        assertThat(isGood(directory, BOB)).isTrue();
        assertThat(directory.snapshot().troubles()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void anAuthorityThatBecomesBadIsLeftOutAtTheSecondLook(Bad bad) throws Exception {
        TrustDirectory directory = directory();
        bad.spoiler().spoil(of(OTHER, ".0"));
        assertThat(directory.look()).as("it may be one that is being replaced").isFalse();
        assertThat(isGood(directory, BOB)).isTrue();
        assertThat(directory.look()).isTrue();
        assertThat(isGood(directory, BOB)).isFalse();
        assertThat(isGood(directory, ALICE)).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void noBadRevocationListLiftsARevocation(Bad bad) throws Exception {
        TestPki.write(of(OTHER, ".r0"), Forge.revoked(OTHER, EVE.certificate()));
        TrustDirectory directory = directory();
        assertThat(isGood(directory, EVE)).isFalse();
        assertThat(isGood(directory, BOB)).isTrue();

        bad.spoiler().spoil(of(OTHER, ".r0"));
        looks(directory, 4);
        assertThat(isGood(directory, EVE)).isFalse();
        assertThat(isGood(directory, BOB)).isTrue();
        assertThat(directory.snapshot().troubles())
                .singleElement()
                .asString()
                .contains(of(OTHER, ".r0").toString(), "What it said before holds");

        Files.delete(of(OTHER, ".r0"));
        TestPki.write(of(OTHER, ".r0"), Forge.revoked(OTHER, BOB.certificate()));
        directory.look();
        assertThat(isGood(directory, EVE)).isTrue();
        assertThat(isGood(directory, BOB)).isFalse();
        assertThat(directory.snapshot().troubles()).isEmpty();
    }

    @Test
    void aRevocationListThatIsRemovedIsGoneAtTheSecondLook() throws Exception {
        TestPki.write(of(OTHER, ".r0"), Forge.revoked(OTHER, EVE.certificate()));
        TrustDirectory directory = directory();
        Files.delete(of(OTHER, ".r0"));
        assertThat(directory.look()).as("it may be one that is being replaced").isFalse();
        assertThat(isGood(directory, EVE)).isFalse();
        assertThat(directory.look()).isTrue();
        assertThat(isGood(directory, EVE)).isTrue();
        assertThat(directory.snapshot().troubles()).isEmpty();
    }

    static Stream<String> endings() {
        return Stream.of(".namespaces", ".signing_policy");
    }

    /** A file that is there says that the authority is bound; without it, it could sign for everybody. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void anAuthorityWithABadPolicyMaySignNothing(Bad bad) throws Exception {
        for (String ending : endings().toList()) {
            bad.spoiler().spoil(of(OTHER, ending));
            TrustDirectory directory = directory();
            assertThat(isGood(directory, ALICE)).as(ending).isTrue();
            assertThat(isGood(directory, BOB)).as(ending).isFalse();
            assertThat(directory.snapshot().troubles())
                    .anySatisfy(trouble ->
                            assertThat(trouble).contains(of(OTHER, ending).toString()))
                    .anySatisfy(trouble ->
                            assertThat(trouble).contains(of(OTHER, ".0").toString(), "left out"));
            Files.delete(of(OTHER, ending));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void aPolicyThatBecomesBadHoldsOn(Bad bad) throws Exception {
        Files.writeString(
                of(OTHER, ".namespaces"), "TO Issuer \"/O=Grid/CN=Other\" PERMIT Subject \"/O=Grid/CN=B.*\"\n");
        TrustDirectory directory = directory();
        assertThat(isGood(directory, BOB)).isTrue();
        assertThat(isGood(directory, EVE)).isFalse();
        bad.spoiler().spoil(of(OTHER, ".namespaces"));
        looks(directory, 4);
        assertThat(isGood(directory, BOB)).isTrue();
        assertThat(isGood(directory, EVE)).isFalse();
        assertThat(directory.snapshot().troubles()).singleElement().asString().contains("What it said before holds");
    }

    @Test
    void aDirectoryThatCannotBeListedChangesNothing() throws Exception {
        TrustDirectory directory = directory();
        Files.move(trust, folder.resolve("away"));
        looks(directory, 3);
        assertThat(isGood(directory, ALICE)).isTrue();
        assertThat(directory.snapshot().troubles()).singleElement().asString().contains("cannot be listed");
        Files.move(folder.resolve("away"), trust);
        directory.look();
        assertThat(directory.snapshot().troubles()).isEmpty();
    }

    @Test
    void aFileUnderTheHashOfOldOpensslIsPassedOverAndAWrongNameIsSaid() throws Exception {
        String old = OpensslTruststoreHelper.getOpenSSLCAHash(GOOD.certificate().getSubjectX500Principal(), false);
        TestPki.write(trust.resolve(old + ".0"), GOOD.certificate());
        assertThat(directory().snapshot().troubles()).isEmpty();
        TestPki.write(trust.resolve("01234567.0"), GOOD.certificate());
        assertThat(directory().snapshot().troubles()).singleElement().asString().contains("01234567.0", "rehash");
    }

    // --- the validator as the service has it

    private ChainValidator validator() throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { trustDirectory: trust, trustReload: 1s, validationCache: 0s }
                credentials: { vomsDirectory: vomsdir }
                """);
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        return new ChainValidator(
                config.server(), config.credentials(), new RefusalLog(System::nanoTime), Clock.systemUTC());
    }

    /** All of them at once, as each would wait until the directory is looked at again. */
    @Test
    void noBadLscFileStopsTheStartOrTheReading() throws Exception {
        Path vo = Files.createDirectories(folder.resolve("vomsdir/atlas"));
        List<Path> spoiled = new ArrayList<>();
        for (Bad bad : bad().toList()) {
            String name = "bad" + spoiled.size() + ".example.org";
            for (Path file : List.of(vo.resolve(name + ".lsc"), folder.resolve("vomsdir/" + name + ".pem"))) {
                bad.spoiler().spoil(file);
                spoiled.add(file);
            }
        }
        try (ChainValidator validator = validator()) {
            for (Path file : spoiled) {
                assertThat(validator.trust().leftOut())
                        .anySatisfy(trouble -> assertThat(trouble).contains(file.toString(), "left out"));
            }
            assertThat(validator.trust().stopped()).isEmpty();

            for (Path file : spoiled) {
                Files.delete(file);
            }
            Files.delete(of(OTHER, ".0"));
            Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(validator.trust().leftOut()).isEmpty();
                assertThat(validator.trust().authorities()).isEqualTo(1);
            });
        }
    }

    @Test
    void withoutAnyGoodAuthorityTheStartIsRefusedAndSaysWhy() throws IOException {
        Files.delete(of(GOOD, ".0"));
        Files.writeString(of(OTHER, ".0"), "nonsense");
        assertThatThrownBy(this::validator)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("holds no certificate authority")
                .hasMessageContaining(of(OTHER, ".0").toString());
    }

    // --- the thread

    @Test
    void whateverALookThrowsTheNextOneComesAndItIsSaid() {
        AtomicInteger looks = new AtomicInteger();
        try (TrustReload reload = new TrustReload(
                        Duration.ofMillis(10),
                        List.of(
                                () -> {
                                    switch (looks.incrementAndGet()) {
                                        case 1 -> throw new IllegalStateException("a look that fails");
                                        case 2 -> throw new StackOverflowError("a look that fails worse");
                                        default -> {}
                                    }
                                    return true;
                                },
                                () -> true))
                .start()) {
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> looks.get() > 3);
            assertThat(reload.trouble()).isEmpty();
        }
        TrustReload failing = new TrustReload(Duration.ofMillis(10), List.of(() -> {
                    throw new IllegalStateException("a look that fails");
                }))
                .start();
        try (failing) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(failing.trouble())
                            .get()
                            .asString()
                            .contains("a look that fails", "What was read before holds"));
        }
    }

    @Test
    void aThreadThatHasStoppedIsSeen() throws Exception {
        TrustReload reload = new TrustReload(Duration.ofHours(1), List.of(() -> true)).start();
        assertThat(reload.trouble()).isEmpty();
        reload.close();
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(
                        () -> assertThat(reload.trouble()).get().asString().contains("has stopped"));
    }
}
