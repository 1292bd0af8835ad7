// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a peer sends beside what is needed, and revocation lists in every state. */
class ChainValidatorTest {

    private static final Forge.Made CA = Forge.authority("CN=CA,O=Grid", null).selfSigned();
    private static final Forge.Made OTHER =
            Forge.authority("CN=Other,O=Grid", null).selfSigned();
    private static final Forge.Made STRANGER =
            Forge.authority("CN=Stranger,O=Grid", null).selfSigned();
    private static final Forge.Made ALICE = Forge.user("CN=Alice,O=Grid").signedBy(CA);
    private static final Forge.Made REVOKED = Forge.user("CN=Revoked,O=Grid").signedBy(CA);
    private static final Forge.Made PROXY =
            Forge.proxyOf(ALICE, Forge.INHERIT_ALL, null).signedBy(ALICE);

    @TempDir
    Path folder;

    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(folder.resolve("trust"));
        TestPki.write(of(CA, ".0"), CA.certificate());
        TestPki.write(of(CA, ".r0"), Forge.revoked(CA, REVOKED.certificate()));
        TestPki.write(of(OTHER, ".0"), OTHER.certificate());
        TestPki.write(of(OTHER, ".r0"), Forge.revoked(OTHER));
    }

    private Path of(Forge.Made authority, String ending) {
        return folder.resolve("trust")
                .resolve(OpensslTruststoreHelper.getOpenSSLCAHash(
                                authority.certificate().getSubjectX500Principal(), true)
                        + ending);
    }

    private Caller validate(String crls, X509Certificate... chain) throws IOException, CertificateException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, "server: { trustDirectory: trust, crls: " + crls + " }\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        try (ChainValidator validator = new ChainValidator(
                config.server(), config.credentials(), new RefusalLog(System::nanoTime), Clock.systemUTC())) {
            assertThat(validator.trust().leftOut()).isEmpty();
            return validator.validate(chain);
        }
    }

    private static X509Certificate[] chain(X509Certificate... certificates) {
        return certificates;
    }

    /** Certificates that nobody needs: of the user's own authority by others, expired, weak, of strangers, twice, in any order. */
    private static List<X509Certificate[]> withMore() {
        X509Certificate alice = ALICE.certificate();
        X509Certificate cross = Forge.cross(CA, OTHER);
        X509Certificate crossOfStranger = Forge.cross(CA, STRANGER);
        X509Certificate expired = Forge.user("CN=Old,O=Grid")
                .valid(Duration.ofDays(-2), Duration.ofDays(-1))
                .signedBy(STRANGER)
                .certificate();
        X509Certificate weak =
                Forge.user("CN=Weak,O=Grid").keys("RSA-1024").signedBy(STRANGER).certificate();
        return List.of(
                chain(alice, cross),
                chain(alice, cross, OTHER.certificate()),
                chain(alice, OTHER.certificate(), cross),
                chain(alice, crossOfStranger),
                chain(alice, crossOfStranger, STRANGER.certificate()),
                chain(alice, CA.certificate(), cross, crossOfStranger),
                chain(alice, cross, cross),
                chain(alice, expired),
                chain(alice, weak, CA.certificate()),
                chain(PROXY.certificate(), alice, cross),
                chain(PROXY.certificate(), alice, cross, OTHER.certificate()),
                chain(PROXY.certificate(), alice, STRANGER.certificate(), CA.certificate()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"if-valid", "require", "ignore"})
    void whatIsNotNeededDoesNotCount(String crls) throws Exception {
        for (X509Certificate[] chain : withMore()) {
            Caller caller = validate(crls, chain);
            assertThat(caller.identity().subject()).isEqualTo("/O=Grid/CN=Alice");
            assertThat(caller.until()).isAfter(Clock.systemUTC().instant());
        }
    }

    @Test
    void aRevokedCertificateIsNotHelpedByAnythingBeside() {
        X509Certificate cross = Forge.cross(CA, OTHER);
        for (X509Certificate[] chain : List.of(
                chain(REVOKED.certificate()),
                chain(REVOKED.certificate(), cross),
                chain(REVOKED.certificate(), cross, OTHER.certificate()),
                chain(REVOKED.certificate(), CA.certificate(), cross))) {
            assertThatThrownBy(() -> validate("if-valid", chain))
                    .isInstanceOf(CertificateException.class)
                    .hasMessageContaining("revoked");
        }
    }

    /** Where the user's own authority is not trusted itself, the way over the other one is needed, and is taken. */
    @Test
    void aCrossCertificateThatIsNeededCounts() throws Exception {
        Files.delete(of(CA, ".0"));
        X509Certificate cross = Forge.cross(CA, OTHER);
        assertThat(validate("if-valid", ALICE.certificate(), Forge.cross(CA, STRANGER), cross)
                        .identity()
                        .subject())
                .isEqualTo("/O=Grid/CN=Alice");
        assertThatThrownBy(() -> validate("if-valid", ALICE.certificate(), Forge.cross(CA, STRANGER)))
                .isInstanceOf(CertificateException.class);
        assertThatThrownBy(() -> validate("if-valid", REVOKED.certificate(), cross))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("revoked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"if-valid", "require"})
    void anExpiredRevocationListIsCalledExpired(String crls) {
        TestPki.write(of(CA, ".r0"), Forge.revoked(CA, Duration.ofDays(-1)));
        for (X509Certificate[] chain : List.of(
                chain(ALICE.certificate()), chain(PROXY.certificate(), ALICE.certificate(), CA.certificate()))) {
            assertThatThrownBy(() -> validate(crls, chain))
                    .isInstanceOf(CertificateException.class)
                    .hasMessageContaining("the revocation list of CN=CA, O=Grid")
                    .hasMessageContaining("expired at")
                    .hasMessageContaining("fetch-crl")
                    .message()
                    .doesNotContainIgnoringCase("signature");
        }
    }

    @Test
    void aNewListBesideAnExpiredOneIsEnough() throws Exception {
        TestPki.write(of(CA, ".r0"), Forge.revoked(CA, Duration.ofDays(-1)));
        TestPki.write(of(CA, ".r1"), Forge.revoked(CA, REVOKED.certificate()));
        assertThat(validate("require", ALICE.certificate()).identity().subject())
                .isEqualTo("/O=Grid/CN=Alice");
        assertThatThrownBy(() -> validate("require", REVOKED.certificate())).hasMessageContaining("revoked");
    }

    @Test
    void aListThatAnotherHasSignedIsNotCalledExpired() {
        TestPki.write(of(CA, ".r0"), Forge.revoked(CA.with(CA.chain(), STRANGER.key())));
        assertThatThrownBy(() -> validate("if-valid", ALICE.certificate()))
                .isInstanceOf(CertificateException.class)
                .message()
                .doesNotContain("expired");
    }

    /** Certificates that all sign each other lead in circles; how many there are is bounded, and so is the work. */
    @Test
    @Timeout(300)
    void certificatesThatAllSignEachOtherCostLittle() {
        Forge.Made one = Forge.authority("CN=One,O=Grid", null).selfSigned();
        List<X509Certificate> chain = new ArrayList<>(
                List.of(Forge.user("CN=Eve,O=Grid").signedBy(one).certificate()));
        while (chain.size() < ChainValidator.MAX_CHAIN) {
            chain.add(Forge.cross(one, one));
        }
        assertThatThrownBy(() -> validate("if-valid", chain.toArray(X509Certificate[]::new)))
                .isInstanceOf(CertificateException.class);
    }
}
