// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server that says what the test wants, and connections to it over real TLS, for the tests of each protocol's client. */
abstract class WireRoom {

    @TempDir
    static Path directory;

    private static TestCertificates certificates;
    private static SSLContext clientTls;

    private volatile Function<String, String> answer = request -> "";
    StubServer server;

    @BeforeAll
    static void certificates() throws Exception {
        certificates = TestCertificates.create(directory);
        clientTls = Tls.context(certificates.user(), certificates.trustDirectory());
    }

    @BeforeEach
    void start() throws Exception {
        server = new StubServer(
                Tls.context(certificates.host(), certificates.trusted()), request -> answer.apply(request));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** Names what is answered to each request from now on; nothing closes the connection. */
    void serve(Function<String, String> replies) {
        answer = replies;
    }

    HttpsConnection connection() {
        return connection("localhost");
    }

    /** @param host the name that the server's certificate must have */
    HttpsConnection connection(String host) {
        return new HttpsConnection(clientTls, host, server.address(), Duration.ofMinutes(2));
    }

    /** A SOAP reply with this in its body. */
    static String soap(String body) {
        return StubServer.ok("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body
                + "</s:Body></s:Envelope>");
    }
}
