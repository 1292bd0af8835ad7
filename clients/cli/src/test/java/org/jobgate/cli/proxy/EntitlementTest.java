// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jobgate.cli.ca.Issued;
import org.jobgate.cli.ca.KeyKind;
import org.jobgate.cli.ca.ProxyIssuer;
import org.jobgate.cli.ca.ProxyKind;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntitlementTest {
    private static final String CHALLENGE = "0123456789abcdef";

    @TempDir
    Path folder;

    private Credential user(String kind) throws Exception {
        TrialCertificates made = TrialCertificates.make(folder.resolve(kind), kind);
        return Credential.read(made.userCertificate(), made.userKey(), () -> new char[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa", "ecdsa"})
    void theAnswerToAChallengeIsItsSignatureAndTheCertificatesOfTheKey(String kind) throws Exception {
        Credential user = user(kind);

        ByteBuffer answer = ByteBuffer.wrap(new Entitlement.Renewal(user, user).answer(CHALLENGE));

        assertThat(answer.order(ByteOrder.LITTLE_ENDIAN).getInt()).isEqualTo(2);
        byte[] signed = new byte[answer.order(ByteOrder.BIG_ENDIAN).getInt()];
        answer.get(signed);
        Signature signature = Signature.getInstance(kind.equals("rsa") ? "SHA1withRSA" : "SHA1withECDSA");
        signature.initVerify(user.chain().getFirst().getPublicKey());
        signature.update(CHALLENGE.getBytes(StandardCharsets.US_ASCII));
        assertThat(signature.verify(signed)).isTrue();
        assertThat(answer.get()).isEqualTo((byte) user.chain().size());
        byte[] certificates = Arrays.copyOfRange(answer.array(), answer.position(), answer.limit());
        assertThat(certificates).startsWith(user.chain().getFirst().getEncoded());
    }

    private static List<X509Certificate> proxy(Credential of, int hours) throws Exception {
        return new ProxyIssuer(Clock.systemUTC(), new SecureRandom())
                .proxy(
                        new Issued(of.chain(), of.key()),
                        ProxyKind.FULL,
                        null,
                        KeyKind.ECDSA.generate(256),
                        Duration.ofHours(hours))
                .chain();
    }

    @Test
    void aProxyIsRenewedByALaterOneOfTheSamePersonOnly() throws Exception {
        Path place = folder.resolve("proxy.pem");
        TrialCertificates made = TrialCertificates.make(folder.resolve("both"), "ecdsa");
        Credential user = Credential.read(made.userCertificate(), made.userKey(), () -> new char[0]);
        Credential host = Credential.read(made.hostCertificate(), made.hostKey(), () -> new char[0]);
        Entitlement.Renewal renewal = new Entitlement.Renewal(host, new Credential(place, proxy(user, 2), user.key()));

        renewal.require(proxy(user, 3), place);

        assertThatThrownBy(() -> renewal.require(proxy(user, 1), place))
                .isInstanceOf(CredentialException.class)
                .hasMessageContaining("not later", "nothing was changed", "--hours");
        assertThatThrownBy(() -> renewal.require(proxy(host, 3), place))
                .isInstanceOf(CredentialException.class)
                .hasMessageContaining("CN=localhost", "CN=Alice Tester", "--user");
    }

    @Test
    void whoRenewsIsShownOnTheConnectionAndHasNoPassPhrase() throws Exception {
        Credential user = user("ecdsa");

        assertThat(new Entitlement.Renewal(user, user).caller()).isEqualTo(user);
        assertThat(new Entitlement.Renewal(user, user).passphrase()).isEmpty();
        assertThat(new Entitlement.Secret(new char[] {'x'}).caller()).isNull();
    }
}
