// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.TestPki;
import org.jobgate.door.DoorAddresses;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the Globus toolkit's security: one byte after the handshake, on the port of the SRM door and on no other. */
class HttpgTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final String PING = "<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Body>"
            + "<s:srmPing xmlns:s='http://srm.lbl.gov/StorageResourceManager'><srmPingRequest/></s:srmPing></S:Body>"
            + "</S:Envelope>";

    private static JobgateService service;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 1s }
                state: { directory: state }
                authorization: { gridMapfile: map }
                lrms: [ { name: Fork, spool: %s, sudo: /bin/false } ]
                fileTrees: [ { name: work, path: /work } ]
                doors: { srm: { port: 0 } }
                """.formatted(folder.resolve("spool")));
        TestPki.write(folder.resolve("cert.pem"), (Object[]) HOST.chain());
        TestPki.write(folder.resolve("key.pem"), HOST.key());
        PKI.trustIn(folder.resolve("trust"));
        Files.writeString(folder.resolve("map"), "\"/O=Grid/CN=Alice\" alice\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        service = new JobgateService(config, StateDirectory.take(config.state().directory()), Instant.now());
        service.start(folder);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static SSLSocket connect(String door, String version) throws IOException {
        SSLSocket socket =
                (SSLSocket) TestPki.client(ALICE).getSocketFactory().createSocket("localhost", service.port(door));
        socket.setEnabledProtocols(new String[] {version});
        socket.setSoTimeout(10_000);
        socket.startHandshake();
        return socket;
    }

    private static String request(SSLSocket socket, String scheme, String path) {
        String host = "localhost:" + socket.getPort();
        return "POST " + (scheme.isEmpty() ? "" : scheme + "://" + host) + path + " HTTP/1.1\r\nHost: " + host
                + "\r\nSOAPAction: \"\"\r\nContent-Type: text/xml\r\nContent-Length: " + PING.length() + "\r\n\r\n"
                + PING;
    }

    private static void send(SSLSocket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** One answer, by its length; nothing where the connection ends before it. */
    private static String answer(SSLSocket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        Matcher length = Pattern.compile("(?i)content-length: ([0-9]+)").matcher(head);
        int size = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return head + new String(in.readNBytes(size), StandardCharsets.UTF_8);
    }

    @Test
    void theByteIsLeftOutOncePerConnection() throws Exception {
        for (String version : new String[] {"TLSv1.3", "TLSv1.2"}) {
            try (SSLSocket socket = connect(DoorAddresses.SRM, version)) {
                send(socket, "0" + request(socket, "httpg", "/srm/v2/server"));
                assertThat(answer(socket)).startsWith("HTTP/1.1 200").contains("v2.2", "/O=Grid/CN=Alice");
            }
            try (SSLSocket socket = connect(DoorAddresses.SRM, version)) {
                send(socket, "0");
                Thread.sleep(100);
                send(socket, request(socket, "", "/srm/managerv2"));
                assertThat(answer(socket)).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void httpsIsSpokenOnTheSamePort() throws Exception {
        try (SSLSocket socket = connect(DoorAddresses.SRM, "TLSv1.3")) {
            send(socket, request(socket, "https", "/srm/managerv2"));
            assertThat(answer(socket)).startsWith("HTTP/1.1 200").contains("v2.2");
        }
        try (SSLSocket socket = connect(DoorAddresses.SRM, "TLSv1.3")) {
            send(socket, "DELETE /srm/managerv2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(answer(socket)).startsWith("HTTP/1.1 405");
        }
    }

    /** Those that the server itself makes, before any door is asked, too. */
    @Test
    void refusalsBelowTheDoorAreSoap() throws Exception {
        try (SSLSocket socket = connect(DoorAddresses.SRM, "TLSv1.3")) {
            send(socket, request(socket, "", "/srm/none"));
            assertThat(answer(socket)).startsWith("HTTP/1.1 404").contains(":Envelope", "faultstring");
        }
    }

    @Test
    void whoWantsToDelegateIsCutOff() throws Exception {
        try (SSLSocket socket = connect(DoorAddresses.SRM, "TLSv1.3")) {
            send(socket, "D");
            assertThat(answer(socket)).doesNotContain("200");
        }
    }

    @Test
    void otherPortsKnowNoSuchByte() throws Exception {
        try (SSLSocket socket = connect(DoorAddresses.REST, "TLSv1.3")) {
            send(socket, "0" + request(socket, "", "/api/v1/trees"));
            assertThat(answer(socket)).doesNotStartWith("HTTP/1.1 200");
        }
    }
}
