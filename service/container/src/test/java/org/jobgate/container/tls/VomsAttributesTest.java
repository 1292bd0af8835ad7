// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.x509.AttributeCertificate;
import org.bouncycastle.cert.X509AttributeCertificateHolder;
import org.italiangrid.voms.asn1.VOMSACGenerator;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attribute certificates as a VOMS server issues them, in proxies. */
class VomsAttributesTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final TestPki.Credential SERVER = PKI.issue("CN=voms.example.org,O=Grid");
    private static final TestPki.Credential FAKE = PKI.issue("CN=fake.example.org,O=Grid");
    private static final List<String> FQANS = List.of("/atlas/Role=production/Capability=NULL", "/atlas");

    @TempDir
    Path folder;

    @BeforeEach
    void trust() throws IOException {
        PKI.trustIn(folder.resolve("trust"));
        Path vo = Files.createDirectories(folder.resolve("vomsdir/atlas"));
        Files.writeString(vo.resolve("voms.example.org.lsc"), "/O=Grid/CN=voms.example.org\n/O=Grid/CN=CA\n");
    }

    private Caller validate(TestPki.Credential credential, String bad) throws IOException, CertificateException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(
                file,
                "server: { trustDirectory: trust }\ncredentials: { vomsDirectory: vomsdir, badAttributes: " + bad
                        + " }\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        try (ChainValidator validator = new ChainValidator(
                config.server(), config.credentials(), new RefusalLog(System::nanoTime), Clock.systemUTC())) {
            return validator.validate(credential.chain());
        }
    }

    @SuppressWarnings("JavaUtilDate") // what the library takes
    private static TestPki.Credential proxyWith(TestPki.Credential server, TestPki.Credential holder, Duration lifetime)
            throws GeneralSecurityException {
        VOMSACGenerator generator = new VOMSACGenerator(new KeyAndCertCredential(server.key(), server.chain()));
        Instant now = Instant.now();
        X509AttributeCertificateHolder attributes = generator.generateVOMSAttributeCertificate(
                FQANS,
                List.of(),
                List.of(),
                holder.certificates().getFirst(),
                BigInteger.TEN,
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(lifetime)),
                "atlas",
                "voms.example.org",
                15000);
        return TestPki.proxy(ALICE, options -> {
            try {
                options.setAttributeCertificates(new AttributeCertificate[] {attributes.toASN1Structure()});
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void theFqansEndInTheIdentityThePrimaryOneFirst() throws Exception {
        Caller caller = validate(proxyWith(SERVER, ALICE, Duration.ofHours(1)), "refuse");
        assertThat(caller.identity().subject()).isEqualTo("/O=Grid/CN=Alice");
        assertThat(caller.identity().fqans()).hasSize(2);
        assertThat(caller.identity().fqans().getFirst()).startsWith("/atlas/Role=production");
    }

    @Test
    void theyAreLookedAtAgainWhenTheyExpireBeforeTheProxy() throws Exception {
        Caller caller = validate(proxyWith(SERVER, ALICE, Duration.ofMinutes(10)), "refuse");
        assertThat(caller.attributesUntil()).isBefore(caller.until());
    }

    @Test
    void aServerThatIsNotInTheDirectorySaysNothing() throws Exception {
        TestPki.Credential proxy = proxyWith(FAKE, ALICE, Duration.ofHours(1));
        assertThat(validate(proxy, "ignore").identity().fqans()).isEmpty();
        assertThatThrownBy(() -> validate(proxy, "refuse"))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining("VOMS attributes are not good");
    }

    /** As while a server changes its authority; its present one may stand first or second. */
    @Test
    void aServerWithTwoChainsIsKnownByEither() throws Exception {
        Path lsc = folder.resolve("vomsdir/atlas/voms.example.org.lsc");
        String present = "/O=Grid/CN=voms.example.org\n/O=Grid/CN=CA\n";
        String other = "/O=Grid/CN=voms.example.org\n/O=Grid/CN=Next CA\n";
        for (String text : List.of(
                present + "------ NEXT CHAIN ------\n" + other, other + "------ NEXT CHAIN ------\n" + present)) {
            Files.writeString(lsc, text);
            Caller caller = validate(proxyWith(SERVER, ALICE, Duration.ofHours(1)), "refuse");
            assertThat(caller.identity().fqans()).hasSize(2);
        }
    }

    @Test
    void attributesOfSomebodyElseAreNotHis() throws Exception {
        TestPki.Credential proxy = proxyWith(SERVER, FAKE, Duration.ofHours(1));
        assertThat(validate(proxy, "ignore").identity().fqans()).isEmpty();
    }

    @Test
    void expiredAttributesAreLeftOut() throws Exception {
        TestPki.Credential proxy = proxyWith(SERVER, ALICE, Duration.ofMinutes(-30));
        assertThat(validate(proxy, "ignore").identity().fqans()).isEmpty();
    }
}
