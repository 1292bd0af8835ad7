// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jobgate.cli.stub.GsiPeer;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GsiTokensTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    /** GSI knows no such thing: the engine encrypts nothing any more, and neither fails nor ends. */
    @Test
    void aServerThatAsksToBeginAnewKeepsNobodyWaiting() throws Exception {
        TrialCertificates certificates = TrialCertificates.make(folder, "rsa");
        GsiPeer peer = new GsiPeer(certificates.serverContext());
        GsiTokens tokens = GsiTokens.with(
                Credential.read(certificates.proxy(), certificates.proxy(), () -> new char[0]),
                TrustDirectory.find(Map.of("X509_CERT_DIR", certificates.trust().toString()), folder),
                "localhost",
                2811);
        byte[] ours = tokens.step(new byte[0]);
        while (!tokens.isEstablished()) {
            ours = tokens.step(peer.step(ours));
        }
        assertThat(peer.unwrap(tokens.wrap(new byte[] {1, 2}))).containsExactly(1, 2);
        byte[] again = peer.askToBeginAnew();
        assertThat(again).isNotEmpty();
        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThatThrownBy(() -> {
                            tokens.unwrap(again);
                            tokens.unwrap(again);
                            tokens.wrap(new byte[] {1});
                        })
                        .isInstanceOf(SSLException.class));
    }
}
