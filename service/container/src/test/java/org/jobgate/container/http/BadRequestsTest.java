// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests that are wrong as HTTP, sent byte by byte by a client without a certificate. */
class BadRequestsTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");

    /** What only the insides of the service would say. */
    private static final String INSIDES = "(?s).*(<html|jetty|exception|caused by|java\\.|\tat |org\\.).*";

    @TempDir
    static Path folder;

    private static TrialGate gate;

    @BeforeAll
    static void start() throws IOException {
        PKI.trustIn(folder.resolve("trust"));
        gate = TrialGate.start(folder, PKI.issue("CN=localhost,O=Grid"), "limits: { maxHeaderBytes: 8KiB }\n");
    }

    @AfterAll
    static void stop() throws Exception {
        gate.close();
    }

    /** One answer: its status, its head as it came, its body. */
    private record Answer(int status, String head, String body) {

        /** Neither a web page nor anything of the insides of the service. */
        Answer isPlain() {
            assertThat((head + body).toLowerCase(Locale.ROOT)).doesNotMatch(INSIDES);
            return this;
        }

        void isFault(int expected, String... words) throws Exception {
            assertThat(status).as(body).isEqualTo(expected);
            assertThat(head).contains("text/xml");
            assertThat(isPlain().body)
                    .contains("faultcode>soap:Client", "faultstring")
                    .satisfies(text -> has(text, words));
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
        }

        void isJson(int expected, String... words) {
            assertThat(status).as(body).isEqualTo(expected);
            assertThat(head).contains("application/json");
            String sentence = new JsonMapper()
                    .readTree(isPlain().body)
                    .path("error")
                    .path("sentence")
                    .asString();
            assertThat(sentence).isNotEmpty();
            has(body, words);
        }

        void isProblem(int expected, String code) {
            assertThat(status).as(body).isEqualTo(expected);
            assertThat(head).contains("application/problem+json");
            JsonNode problem = new JsonMapper().readTree(isPlain().body);
            assertThat(problem.path("code").asString()).isEqualTo(code);
            assertThat(problem.path("status").asInt()).isEqualTo(expected);
            assertThat(problem.path("detail").asString()).isNotEmpty();
        }

        private static void has(String text, String... words) {
            for (String word : words) {
                assertThat(text).contains(word);
            }
        }
    }

    private static Socket connect() throws IOException {
        Socket socket = TestPki.client(null)
                .getSocketFactory()
                .createSocket("localhost", gate.ports().getFirst());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private static Answer ask(String head, byte[] body) throws IOException {
        try (Socket socket = connect()) {
            return ask(socket, head, body);
        }
    }

    private static Answer ask(String head) throws IOException {
        return ask(head, new byte[0]);
    }

    private static Answer ask(Socket socket, String head, byte[] body) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes((head.replace("\n", "\r\n") + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        socket.getOutputStream().write(request.toByteArray());
        return read(socket.getInputStream());
    }

    private static Answer read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            assertThat(next).as("answer after: %s", head).isNotNegative();
            head.append((char) next);
        }
        String length = head.toString().replaceFirst("(?is).*content-length: *(\\d+).*", "$1");
        boolean isAnnounced = length.length() < head.length();
        byte[] body = isAnnounced ? in.readNBytes(Integer.parseInt(length)) : new byte[0];
        return new Answer(
                Integer.parseInt(head.substring(9, 12)), head.toString(), new String(body, StandardCharsets.UTF_8));
    }

    private static String post(String path, String headers, int length) {
        return "POST " + path + " HTTP/1.1\nHost: localhost\nContent-Length: " + length + "\n" + headers;
    }

    private static final byte[] ASK = TrialGate.ASK.getBytes(StandardCharsets.UTF_8);

    @Test
    void theRestApiIsRefusedWithProblemDocuments() throws Exception {
        ask("TRACE /api/v1/jobs HTTP/1.1\nHost: localhost").isProblem(405, "METHOD_NOT_ALLOWED");
        ask("GET /api/v1/jobs/%2e%2e HTTP/1.1\nHost: localhost").isProblem(400, "BAD_REQUEST");
        ask("GET /api/v1/jobs HTTP/1.1\nHost: localhost\nX: " + "x".repeat(9_000))
                .isProblem(431, "LIMIT_EXCEEDED");
        ask(post("/api/v1/jobs", "Content-Encoding: br", 3), new byte[3]).isProblem(415, "CONTENT_ENCODING");
        ask(post("/api/v1/jobs", "Content-Type: application/json", 11 << 20), new byte[11 << 20])
                .isProblem(413, "LIMIT_EXCEEDED");
    }

    /** A browser adds its user's certificate to whatever a page sends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: https://evil.example",
                "Origin: null",
                "Origin: https://localhost.evil.example",
                "Origin: http://localhost",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Sec-Fetch-Site: cross-site\nOrigin: https://localhost",
            })
    void whatAPageOfAnotherSiteSendsIsRefusedAtEveryDoor(String header) throws Exception {
        ask(post(TrialGate.WHO, "Content-Type: text/xml\n" + header, ASK.length), ASK)
                .isFault(403, "another site");
        ask(post("/api/v1/jobs", "Content-Type: application/json\n" + header, 2), new byte[] {'{', '}'})
                .isProblem(403, "OTHER_SITE");
        ask("DELETE /jobs/1/files/a HTTP/1.1\nHost: localhost\n" + header).isJson(403, "another site");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: https://LOCALHOST",
                "Sec-Fetch-Site: same-origin\nOrigin: https://behind.a.proxy",
                "Sec-Fetch-Site: none",
                "X: no browser"
            })
    void ownPagesAndProgramsAreServed(String header) throws Exception {
        Answer answer = ask(post(TrialGate.WHO, "Content-Type: text/xml\n" + header, ASK.length), ASK);
        assertThat(answer.status).as(answer.body).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {TrialGate.WHO, "/wsrf/services/Nowhere", "/wsrf/nowhere"})
    void traceIsRefusedAtSoapServices(String path) throws Exception {
        Answer answer = ask("TRACE " + path + " HTTP/1.1\nHost: localhost\nSecret: abc");
        answer.isFault(405, "TRACE");
        assertThat(answer.head).contains("Allow: GET, POST");
        assertThat(answer.body).doesNotContain("abc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/jobs/1/stdout", "/health", "/nowhere"})
    void traceIsRefusedElsewhere(String path) throws Exception {
        Answer answer = ask("TRACE " + path + " HTTP/1.1\nHost: localhost\nSecret: abc");
        answer.isJson(405, "TRACE");
        assertThat(answer.body).doesNotContain("abc");
        assertThat(answer.head).contains("Allow: GET");
    }

    @Test
    void noMethodMakesTheGatewayAProxy() throws Exception {
        ask("CONNECT localhost:443 HTTP/1.1\nHost: localhost:443").isJson(405, "CONNECT");
        assertThat(ask("OPTIONS * HTTP/1.1\nHost: localhost").isPlain().status).isBetween(400, 499);
        assertThat(ask("OPTIONS /nowhere HTTP/1.1\nHost: localhost").isPlain().status)
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/xml; charset=nonsense",
                "text/xml; charset=\"nonsense\"",
                "text/xml; charset=",
                "text/xml; charset=%%",
                "text/xml;CHARSET='../../etc/passwd'",
                "text/xml; a=b; charset=utf-8; charset=nonsense",
                "application/soap+xml;charset=utf-9"
            })
    void anUnknownCharacterSetIsRefused(String type) throws Exception {
        ask(post(TrialGate.WHO, "Content-Type: " + type, ASK.length), ASK).isFault(415, "charset=utf-8");
        ask(post("/jobs/1/files/x", "Content-Type: " + type, 1), new byte[1]).isJson(415, "character set");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/xml", "text/xml; charset=utf-8", "text/xml;charset=\"UTF-8\"", "text/xml; charset=us-ascii"
            })
    void aKnownCharacterSetIsTaken(String type) throws Exception {
        Answer answer = ask(post(TrialGate.WHO, "Content-Type: " + type, ASK.length), ASK);
        assertThat(answer.status).as(answer.body).isEqualTo(200);
    }

    @Test
    void twoContentTypesAreRefused() throws Exception {
        ask(post(TrialGate.WHO, "Content-Type: text/xml\nContent-Type: text/plain", ASK.length), ASK)
                .isFault(400, "2 headers Content-Type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "deflate,chunked", "identity, chunked"})
    void transferCodingsBesideChunkedAreRefused(String coding) throws Exception {
        byte[] chunks = "5\r\nhello\r\n0\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        String head = "POST %s HTTP/1.1\nHost: localhost\nContent-Type: text/xml\nTransfer-Encoding: " + coding;
        ask(head.formatted(TrialGate.WHO), chunks).isFault(501, "transfer coding", "chunked alone");
        ask(head.formatted("/jobs/1/files/x"), chunks).isJson(501, "transfer coding");
    }

    @Test
    void chunkedThatIsNotLastIsRefused() throws Exception {
        ask("POST " + TrialGate.WHO + " HTTP/1.1\nHost: localhost\nTransfer-Encoding: gzip")
                .isFault(400, "is not HTTP as it is served here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "x-gzip", "deflate", "br", "zstd", "identity, gzip"})
    void contentCodingsAreRefused(String coding) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(ASK);
        }
        for (byte[] body : new byte[][] {packed.toByteArray(), ASK}) {
            Answer answer =
                    ask(post(TrialGate.WHO, "Content-Type: text/xml\nContent-Encoding: " + coding, body.length), body);
            answer.isFault(415, "content coding");
            assertThat(answer.head).contains("Accept-Encoding: identity");
        }
        ask(
                        "PUT /jobs/1/files/x HTTP/1.1\nHost: localhost\nContent-Length: 1\nContent-Encoding: " + coding,
                        new byte[1])
                .isJson(415, "content coding");
    }

    @Test
    void identityIsNoCoding() throws Exception {
        Answer answer = ask(post(TrialGate.WHO, "Content-Type: text/xml\nContent-Encoding: identity", ASK.length), ASK);
        assertThat(answer.status).as(answer.body).isEqualTo(200);
    }

    @Test
    void whatIsNotThereIsToldInTheFormOfTheDoor() throws Exception {
        ask("GET /wsrf/services/Nowhere HTTP/1.1\nHost: localhost").isFault(404, "/wsrf/services/Nowhere");
        ask(post("/wsrf/services/Nowhere", "Content-Type: text/xml", ASK.length), ASK)
                .isFault(404);
        ask("GET /wsrf/services HTTP/1.1\nHost: localhost").isFault(404);
        ask("GET /wsrf/else&x HTTP/1.1\nHost: localhost").isFault(404, "/wsrf/else&amp;x");
        ask("GET /nowhere HTTP/1.1\nHost: localhost").isJson(404, "/nowhere");
        ask("DELETE /nowhere HTTP/1.1\nHost: localhost").isJson(404);
        // what is looked at there is the landing page (LandingPageTest)
        ask("DELETE / HTTP/1.1\nHost: localhost").isJson(404);
        ask("GET /jobs HTTP/1.1\nHost: localhost").isJson(404);
    }

    @Test
    void whatTheServerRefusesByItselfIsToldInTheFormOfTheDoor() throws Exception {
        ask(post(TrialGate.WHO, "Content-Type: text/xml\nExpect: the-spanish-inquisition", 0))
                .isFault(417, "Expect");
        ask("GET /nowhere HTTP/1.1\nHost: localhost\nExpect: nothing").isJson(417, "Expect");
        String long9 = "x".repeat(9_000);
        ask("GET /nowhere HTTP/1.1\nHost: localhost\nLong: " + long9).isJson(431, "limits.maxHeaderBytes = 8192");
        ask("GET " + TrialGate.WHO + " HTTP/1.1\nHost: localhost\nLong: " + long9)
                .isFault(431, "limits.maxHeaderBytes = 8192");
        ask("GET /" + long9 + " HTTP/1.1\nHost: localhost").isJson(414, "limits.maxHeaderBytes = 8192");
        ask("GET " + TrialGate.WHO + " HTTP/1.1").isFault(400);
        ask("GET " + TrialGate.WHO + " HTTP/1.1\nHost: localhost\nContent-Length: x")
                .isFault(400);
        ask("GET /jobs/%2e%2e/x HTTP/1.1\nHost: localhost").isJson(400);
        ask("GET /jobs//x HTTP/1.1\nHost: localhost").isJson(400);
        ask("nonsense").isJson(400);
        assertThat(ask("GET / HTTP/9.9\nHost: localhost").isPlain().status).isIn(400, 505);
    }

    @Test
    void aMethodThatTheServiceDoesNotHaveIsRefused() throws Exception {
        for (String method : new String[] {"PUT", "DELETE", "PATCH", "OPTIONS", "BREW"}) {
            Answer answer = ask(method + " " + TrialGate.WHO + " HTTP/1.1\nHost: localhost\nContent-Length: 0");
            assertThat(answer.isPlain().status).as(method).isIn(405, 500);
        }
    }

    @Test
    void aRefusalLeavesTheConnectionOpen() throws Exception {
        try (Socket socket = connect()) {
            for (String head : new String[] {
                "GET /nowhere HTTP/1.1\nHost: localhost",
                "GET /wsrf/services/Nowhere HTTP/1.1\nHost: localhost",
                "TRACE /nowhere HTTP/1.1\nHost: localhost",
                "PUT /health HTTP/1.1\nHost: localhost\nContent-Length: 0",
            }) {
                Answer refused = ask(socket, head, new byte[0]);
                assertThat(refused.status).as(head).isBetween(403, 405);
                assertThat(refused.head.toLowerCase(Locale.ROOT)).doesNotContain("connection: close");
            }
            Answer coded =
                    ask(socket, post(TrialGate.WHO, "Content-Type: text/xml\nContent-Encoding: br", ASK.length), ASK);
            assertThat(coded.status).isEqualTo(415);
            Answer answer = ask(socket, post(TrialGate.WHO, "Content-Type: text/xml", ASK.length), ASK);
            assertThat(answer.status).as(answer.body).isEqualTo(200);
        }
    }
}
