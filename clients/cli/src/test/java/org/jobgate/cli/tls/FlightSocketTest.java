// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jobgate.cli.stub.TrialCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightSocketTest {
    private static final int WAIT_S = 20;

    @TempDir
    Path folder;

    @Test
    void sendsAHandshakeInOnePieceAndAllElseAtOnce() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                FlightSocket socket = new FlightSocket()) {
            socket.connect(listener.getLocalSocketAddress());
            try (Socket peer = listener.accept()) {
                peer.setSoTimeout(WAIT_S * 1000);
                socket.getOutputStream().write(new byte[] {1, 2});
                socket.getOutputStream().write(3);
                assertThat(peer.getInputStream().available()).isZero();
                socket.handshakeDone();
                assertThat(peer.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
                socket.getOutputStream().write(4);
                assertThat(peer.getInputStream().read()).isEqualTo(4);
            }
        }
    }

    @Test
    void sendsWhatItHoldsWhenItIsClosed() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                FlightSocket socket = new FlightSocket()) {
            socket.connect(listener.getLocalSocketAddress());
            try (Socket peer = listener.accept()) {
                peer.setSoTimeout(WAIT_S * 1000);
                socket.getOutputStream().write(7);
                socket.close();
                assertThat(peer.getInputStream().readAllBytes()).containsExactly(7);
            }
        }
    }

    @Test
    void aConnectionHoldsNothingBackThatIsWrittenWithoutAReadAfterIt() throws Exception {
        TrialCertificates certificates = TrialCertificates.make(folder, "rsa");
        try (SSLServerSocket listener = (SSLServerSocket) certificates
                .serverContext()
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> came = CompletableFuture.supplyAsync(() -> {
                try (Socket peer = listener.accept()) {
                    return new String(peer.getInputStream().readNBytes(4), StandardCharsets.US_ASCII);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (SSLSocket socket = TlsConnector.connect(
                    null,
                    new TrustDirectory(certificates.trust()),
                    new ServerName.Host(),
                    "localhost",
                    listener.getLocalPort(),
                    WAIT_S * 1000)) {
                socket.getOutputStream().write("data".getBytes(StandardCharsets.US_ASCII));
                assertThat(came.get(WAIT_S, TimeUnit.SECONDS)).isEqualTo("data");
            }
        }
    }
}
