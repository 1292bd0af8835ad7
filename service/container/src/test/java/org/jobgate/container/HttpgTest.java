// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyRequestOptions;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.TestPki;
import org.jobgate.door.DoorAddresses;
import org.jspecify.annotations.Nullable;
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
        StringBuilder map = new StringBuilder();
        for (String name : List.of("Alice", "Bob", "Carol", "Dave", "Eve", "Frank", "Grace")) {
            map.append("\"/O=Grid/CN=").append(name).append("\" alice\n");
        }
        Files.writeString(folder.resolve("map"), map);
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        service = new JobgateService(config, StateDirectory.take(config.state().directory()), Instant.now());
        service.start(folder);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static SSLSocket connect(String door, String version) throws IOException {
        return connect(ALICE, door, version);
    }

    private static SSLSocket connect(TestPki.@Nullable Credential as, String door, String version) throws IOException {
        SSLSocket socket =
                (SSLSocket) TestPki.client(as).getSocketFactory().createSocket("localhost", service.port(door));
        socket.setEnabledProtocols(new String[] {version});
        socket.setSoTimeout(60_000);
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

    /** The client's side of it: what it sends for the certificate request that the server has answered the byte with. */
    private static byte[] signed(TestPki.Credential as, byte[] request) throws Exception {
        return signed(as, request, Duration.ofHours(12), false);
    }

    private static byte[] signed(TestPki.Credential as, byte[] request, Duration lifetime, boolean isLimited)
            throws Exception {
        ProxyRequestOptions options = new ProxyRequestOptions(as.chain(), new PKCS10CertificationRequest(request));
        options.setType(ProxyType.RFC3820);
        options.setLifetime(Math.toIntExact(lifetime.toSeconds()));
        options.setLimited(isLimited);
        return ProxyGenerator.generate(options, as.key())[0].getEncoded();
    }

    /** The certificate request of a server that was sent {@code D}. */
    private static byte[] requested(SSLSocket socket) throws IOException {
        send(socket, "D");
        InputStream in = socket.getInputStream();
        byte[] head = in.readNBytes(4);
        assertThat(head).startsWith(0x30, 0x82);
        byte[] rest = in.readNBytes(((head[2] & 0xff) << 8) | (head[3] & 0xff));
        byte[] all = Arrays.copyOf(head, head.length + rest.length);
        System.arraycopy(rest, 0, all, head.length, rest.length);
        return all;
    }

    private static void send(SSLSocket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    private static String delegations(TestPki.Credential of) throws IOException {
        try (SSLSocket socket = connect(of, DoorAddresses.REST, "TLSv1.3")) {
            send(
                    socket,
                    "GET /api/v1/delegations HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The client is ours: no program of Debian's asks for it. */
    @Test
    void aCredentialIsDelegatedBeforeTheFirstRequest() throws Exception {
        TestPki.Credential bob = PKI.issue("CN=Bob,O=Grid");
        for (TestPki.Credential as : List.of(bob, TestPki.proxy(bob, options -> {}))) {
            for (String version : List.of("TLSv1.3", "TLSv1.2")) {
                try (SSLSocket socket = connect(as, DoorAddresses.SRM, version)) {
                    send(socket, signed(as, requested(socket)));
                    for (int i = 0; i < 2; i++) {
                        send(socket, request(socket, "httpg", "/srm/v2/server"));
                        assertThat(answer(socket)).startsWith("HTTP/1.1 200").contains("v2.2", "/O=Grid/CN=Bob");
                    }
                }
            }
        }
        assertThat(kept(bob)).as("each is in the place of the one before").hasSize(1);
    }

    /** The ids of what is delegated by httpg, each with its end. */
    private static Map<String, String> kept(TestPki.Credential of) throws IOException {
        Map<String, String> found = new TreeMap<>();
        Matcher each = Pattern.compile("\"(httpg-[^\"]+)\"[^}]*\"expires\" *: *\"([^\"]+)\"")
                .matcher(delegations(of));
        while (each.find()) {
            found.put(each.group(1), each.group(2));
        }
        return found;
    }

    private static void delegate(TestPki.Credential as, Duration lifetime, boolean isLimited) throws Exception {
        try (SSLSocket socket = connect(as, DoorAddresses.SRM, "TLSv1.3")) {
            send(socket, signed(as, requested(socket), lifetime, isLimited));
            send(socket, request(socket, "httpg", "/srm/v2/server"));
            assertThat(answer(socket)).startsWith("HTTP/1.1 200");
        }
    }

    /** Copies and jobs that use what was delegated go on with it, whatever a later connection brings. */
    @Test
    void aLaterConnectionReplacesNoProxyThatLastsLongerOrHasOtherRights() throws Exception {
        TestPki.Credential frank = PKI.issue("CN=Frank,O=Grid");
        delegate(frank, Duration.ofHours(9), false);
        Map<String, String> first = kept(frank);
        assertThat(first).hasSize(1);
        delegate(frank, Duration.ofMinutes(10), false);
        assertThat(kept(frank)).isEqualTo(first);

        delegate(frank, Duration.ofHours(11), true);
        assertThat(kept(frank)).as("a limited one is kept beside").hasSize(2).containsAllEntriesOf(first);

        delegate(frank, Duration.ofHours(10), false);
        assertThat(kept(frank)).hasSize(2).containsKey(first.keySet().iterator().next());
        assertThat(kept(frank).values()).doesNotContainAnyElementsOf(first.values());
    }

    /** A key costs more than many requests, and who connects and goes away again costs no key each time. */
    @Test
    void keysThatNothingWasSignedForAreUsedAgain() throws Exception {
        TestPki.Credential grace = PKI.issue("CN=Grace,O=Grid");
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 12; i++) {
            try (SSLSocket socket = connect(grace, DoorAddresses.SRM, "TLSv1.3")) {
                byte[] key = new PKCS10CertificationRequest(requested(socket))
                        .getSubjectPublicKeyInfo()
                        .getEncoded();
                keys.add(HexFormat.of().formatHex(key));
            }
        }
        assertThat(keys).as("of those that are open at once at the most").hasSizeLessThanOrEqualTo(8);
    }

    /** However the bytes come, and with the first request behind the certificate. */
    @Test
    void theCertificateComesInPiecesOrWithTheFirstRequest() throws Exception {
        TestPki.Credential carol = PKI.issue("CN=Carol,O=Grid");
        try (SSLSocket socket = connect(carol, DoorAddresses.SRM, "TLSv1.3")) {
            byte[] certificate = signed(carol, requested(socket));
            byte[] request = request(socket, "", "/srm/managerv2").getBytes(StandardCharsets.US_ASCII);
            byte[] all = Arrays.copyOf(certificate, certificate.length + request.length);
            System.arraycopy(request, 0, all, certificate.length, request.length);
            for (int cut : List.of(1, 2, 3, 4, 5, 300, all.length)) {
                int from = cut == 300 ? 5 : cut == all.length ? 300 : cut - 1;
                send(socket, Arrays.copyOfRange(all, from, cut));
                Thread.sleep(20);
            }
            assertThat(answer(socket)).startsWith("HTTP/1.1 200");
        }
        assertThat(kept(carol)).hasSize(1);
    }

    @Test
    void whatIsNoProxyOfTheClientsOwnIsRefusedWithASentence() throws Exception {
        TestPki.Credential dave = PKI.issue("CN=Dave,O=Grid");
        byte[] ofAnotherKey;
        try (SSLSocket socket = connect(ALICE, DoorAddresses.SRM, "TLSv1.3")) {
            ofAnotherKey = signed(dave, requested(socket));
        }
        byte[] endless = {0x30, (byte) 0x83, 0x7f, (byte) 0xff, (byte) 0xff, 1, 2, 3};
        byte[] tooLong = {0x30, (byte) 0x82, (byte) 0xff, (byte) 0xff, 1, 2, 3};
        byte[] noCertificate = {0x30, 3, 1, 1, 0};
        try (SSLSocket socket = connect(dave, DoorAddresses.SRM, "TLSv1.3")) {
            send(socket, signed(ALICE, requested(socket)));
            assertThat(answer(socket)).startsWith("HTTP/1.1 403");
        }
        for (byte[] bad : List.of(
                ofAnotherKey, endless, tooLong, noCertificate, "POST / HTTP/1.1".getBytes(StandardCharsets.US_ASCII))) {
            try (SSLSocket socket = connect(dave, DoorAddresses.SRM, "TLSv1.3")) {
                assertThat(requested(socket)).isNotEmpty();
                send(socket, bad);
                assertThat(answer(socket)).startsWith("HTTP/1.1 403");
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
        }
        try (SSLSocket socket = connect(null, DoorAddresses.SRM, "TLSv1.3")) {
            send(socket, "D");
            assertThat(answer(socket)).startsWith("HTTP/1.1 403");
        }
        assertThat(delegations(dave)).doesNotContain("httpg");
    }

    /** Who opens connections and delegates nothing keeps nobody else from it, nor itself for longer than they are open. */
    @Test
    void soManyAreDelegatedAtOnceByOneSubject() throws Exception {
        TestPki.Credential eve = PKI.issue("CN=Eve,O=Grid");
        List<SSLSocket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                SSLSocket socket = connect(eve, DoorAddresses.SRM, "TLSv1.3");
                open.add(socket);
                assertThat(requested(socket)).isNotEmpty();
            }
            try (SSLSocket more = connect(eve, DoorAddresses.SRM, "TLSv1.3")) {
                send(more, "D");
                assertThat(answer(more)).startsWith("HTTP/1.1 403");
            }
            try (SSLSocket other = connect(ALICE, DoorAddresses.SRM, "TLSv1.3")) {
                assertThat(requested(other)).isNotEmpty();
            }
        } finally {
            for (SSLSocket socket : open) {
                socket.close();
            }
        }
        long until = System.nanoTime() + 10_000_000_000L;
        boolean isServed = false;
        while (!isServed && System.nanoTime() < until) {
            try (SSLSocket again = connect(eve, DoorAddresses.SRM, "TLSv1.3")) {
                send(again, "D");
                isServed = again.getInputStream().read() == 0x30;
            }
        }
        assertThat(isServed)
                .as("places of connections that were closed are free")
                .isTrue();
    }

    @Test
    void otherPortsKnowNoSuchByte() throws Exception {
        try (SSLSocket socket = connect(DoorAddresses.REST, "TLSv1.3")) {
            send(socket, "0" + request(socket, "", "/api/v1/trees"));
            assertThat(answer(socket)).doesNotStartWith("HTTP/1.1 200");
        }
    }
}
