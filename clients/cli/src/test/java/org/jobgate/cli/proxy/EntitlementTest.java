// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Signature;
import java.util.Arrays;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.Credential;
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

    @Test
    void whoRenewsIsShownOnTheConnectionAndHasNoPassPhrase() throws Exception {
        Credential user = user("ecdsa");

        assertThat(new Entitlement.Renewal(user, user).caller()).isEqualTo(user);
        assertThat(new Entitlement.Renewal(user, user).passphrase()).isEmpty();
        assertThat(new Entitlement.Secret(new char[] {'x'}).caller()).isNull();
    }
}
