// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gt4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkConsumerClientTest {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Destinations ANYWHERE = Destinations.ofSite(new OwnPorts());

    private final List<String> received = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    /** A certificate that names a person and no host, as a client's proxy does. */
    private KeyStore person(String name) throws Exception {
        Path file = directory.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "key",
                        "-dname",
                        "CN=" + name,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(output).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    private static SSLContext ssl(KeyStore keys, KeyStore trusted, boolean nameless) throws GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        KeyStore anchors = KeyStore.getInstance("PKCS12");
        try {
            anchors.load(null, PASSWORD);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        anchors.setCertificateEntry("anchor", trusted.getCertificate("key"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(anchors);
        TrustManager manager = trust.getTrustManagers()[0];
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own.getKeyManagers(),
                new TrustManager[] {nameless ? new NamelessTrust((X509TrustManager) manager) : manager},
                null);
        return context;
    }

    private HttpServer serve(HttpServer server, int status) {
        server.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/elsewhere");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static URI address(String scheme, HttpServer server) {
        return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/consumer");
    }

    private static byte[] message() {
        return "<a/>".getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aTrustedConsumerWithoutAHostsNameIsTold() throws Exception {
        KeyStore alice = person("alice");
        HttpsServer https = HttpsServer.create(anyPort(), 10);
        https.setHttpsConfigurator(new HttpsConfigurator(ssl(alice, alice, false)));
        HttpServer server = serve(https, 200);
        try (JdkConsumerClient client = new JdkConsumerClient(ssl(person("gateway"), alice, true), ANYWHERE, TIMEOUT)) {
            client.send(address("https", server), message());
        } finally {
            server.stop(0);
        }

        assertThat(received).containsExactly("<a/>");
    }

    @Test
    void aConsumerThatIsNotTrustedIsNotTold() throws Exception {
        KeyStore mallory = person("mallory");
        HttpsServer https = HttpsServer.create(anyPort(), 10);
        https.setHttpsConfigurator(new HttpsConfigurator(ssl(mallory, mallory, false)));
        HttpServer server = serve(https, 200);
        KeyStore alice = person("alice");
        try (JdkConsumerClient client = new JdkConsumerClient(ssl(alice, alice, true), ANYWHERE, TIMEOUT)) {
            assertThatThrownBy(() -> client.send(address("https", server), message()))
                    .isInstanceOf(IOException.class);
        } finally {
            server.stop(0);
        }

        assertThat(received).isEmpty();
    }

    @Test
    void aRedirectionIsAFailureAndNotFollowed() throws Exception {
        HttpServer server = serve(HttpServer.create(anyPort(), 10), 302);
        try (JdkConsumerClient client = new JdkConsumerClient(SSLContext.getDefault(), ANYWHERE, TIMEOUT)) {
            assertThatThrownBy(() -> client.send(address("http", server), message()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("302");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aConsumerThatDoesNotAnswerIsLeftAfterTheTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                JdkConsumerClient client =
                        new JdkConsumerClient(SSLContext.getDefault(), ANYWHERE, Duration.ofMillis(300))) {
            URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");

            assertThatThrownBy(() -> client.send(address, message())).isInstanceOf(IOException.class);
        }
    }
}
