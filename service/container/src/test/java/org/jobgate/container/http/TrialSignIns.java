// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jobgate.container.tls.TestPki;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.door.ServletMount;
import org.jobgate.identity.Identity;
import org.jspecify.annotations.Nullable;

/**
 * A gateway at which browsers sign in by an issuer that is a server of this test: it checks what a real one checks (the client's secret, PKCE, the
 * redirect, that a code is used once), and answers what a test says.
 */
final class TrialSignIns implements AutoCloseable {

    static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    static final String SECRET = "a+secret/of the=client";
    private static final char[] NO_PASSWORD = {};
    private static final int DROPS = 2_000;

    final TestTokens tokens;
    final String issuer;

    /** What a test changes of what the issuer answers. */
    volatile UnaryOperator<JWTClaimsSet.Builder> claims = made -> made;

    volatile UnaryOperator<String> idToken = made -> made;
    volatile UnaryOperator<String> metadata = made -> made;
    volatile @Nullable Answer answer;

    /** What the issuer waits for before it answers for a code. */
    volatile CountDownLatch mayAnswer = new CountDownLatch(0);

    /** Whether the issuer answers for a code drop by drop, for ten minutes. */
    volatile boolean drips;

    /** A request for a code has come. */
    final Semaphore asked = new Semaphore(0);

    /** What was wrong with requests to the issuer's token endpoint. */
    final List<String> wrong = new CopyOnWriteArrayList<>();

    final TrialGate gate;
    final HttpClient client;
    private final HttpsServer server;

    /** The query that a code was given for. */
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();

    /** Status and content. */
    record Answer(int status, String content) {}

    /** @param settings further ones of {@code signIn} */
    static TrialSignIns start(Path folder, String settings, TestPki.@Nullable Credential user) throws Exception {
        return new TrialSignIns(folder, settings, user, TrialGate.KEY_FETCH);
    }

    /** @param fetch how long the gate waits for the issuer's answer */
    static TrialSignIns start(Path folder, String settings, TestPki.@Nullable Credential user, Duration fetch)
            throws Exception {
        return new TrialSignIns(folder, settings, user, fetch);
    }

    private TrialSignIns(Path folder, String settings, TestPki.@Nullable Credential user, Duration fetch)
            throws Exception {
        PKI.trustIn(folder.resolve("trust"));
        server = server();
        issuer = "https://localhost:" + server.getAddress().getPort() + "/realm";
        tokens = new TestTokens(issuer);
        Path secret = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        gate = TrialGate.start(
                folder,
                PKI.issue("CN=localhost,O=Grid"),
                """
                tokens: { keysPause: 100ms }
                signIn: { issuer: "%s", clientId: "the gate", clientSecretFile: secret%s }
                """.formatted(issuer, settings),
                fetch,
                door(DoorAddresses.CONSOLE, "/console"),
                door(DoorAddresses.REST, "/api/v1"));
        client = TrialGate.client(user);
    }

    static FrontDoor door(String name, String root) {
        HttpServlet who = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getWriter().write(root + " " + request.getAttribute(Identity.REQUEST_ATTRIBUTE));
            }
        };
        return new FrontDoor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<Mount> mounts() {
                return List.of(new ServletMount(root, "who asks", who, List.of("GET", "POST")));
            }
        };
    }

    private HttpsServer server() throws Exception {
        TestPki.Credential host = PKI.issue("CN=localhost,O=Grid");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, NO_PASSWORD);
        keys.setKeyEntry("host", host.key(), NO_PASSWORD, host.chain());
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, NO_PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        HttpsServer made = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.setHttpsConfigurator(new HttpsConfigurator(tls));
        made.createContext(
                "/realm/.well-known/openid-configuration",
                exchange -> answer(exchange, new Answer(200, metadata.apply("""
                {"issuer":"%1$s","jwks_uri":"%1$s/keys","authorization_endpoint":"%1$s/auth?theme=dark","token_endpoint":"%1$s/token",
                 "code_challenge_methods_supported":["plain","S256"]}""".formatted(issuer)))));
        made.createContext("/realm/keys", exchange -> answer(exchange, new Answer(200, tokens.published())));
        made.createContext("/realm/token", this::token);
        made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        made.start();
        return made;
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        byte[] content = answer.content().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), content.length);
        exchange.getResponseBody().write(content);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form =
                query(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII));
        Map<String, String> begun = codes.remove(String.valueOf(form.get("code")));
        asked.release();
        try {
            mayAnswer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (drips) {
            drip(exchange);
            return;
        }
        Answer said = answer;
        if (said != null) {
            answer(exchange, said);
            return;
        }
        if (begun == null) {
            answer(exchange, new Answer(400, "{\"error\":\"invalid_grant\"}"));
            return;
        }
        String client = "Basic "
                + java.util.Base64.getEncoder()
                        .encodeToString("the+gate:a%2Bsecret%2Fof+the%3Dclient".getBytes(StandardCharsets.US_ASCII));
        expect("client", client, exchange.getRequestHeaders().getFirst("Authorization"));
        expect("grant", "authorization_code", form.get("grant_type"));
        expect("redirect", begun.get("redirect_uri"), form.get("redirect_uri"));
        expect("challenge", begun.get("code_challenge"), challenge(String.valueOf(form.get("code_verifier"))));
        JWTClaimsSet.Builder made =
                claims.apply(tokens.plain().audience("the gate").claim("nonce", begun.get("nonce")));
        answer(
                exchange,
                new Answer(
                        200,
                        "{\"access_token\":\"x\",\"token_type\":\"Bearer\",\"scope\":\"openid compute.read other\",\"id_token\":\""
                                + idToken.apply(tokens.sign(made)) + "\"}"));
    }

    private static void drip(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, DROPS);
        try (OutputStream out = exchange.getResponseBody()) {
            for (int i = 0; i < DROPS; i++) {
                out.write(' ');
                out.flush();
                Thread.sleep(300);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void expect(String what, @Nullable String wanted, @Nullable String got) {
        if (wanted == null || !wanted.equals(got)) {
            wrong.add(what + ": " + got + " and not " + wanted);
        }
    }

    private static String challenge(String verifier) {
        try {
            return Base64URL.encode(
                            MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)))
                    .toString();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static Map<String, String> query(String text) {
        return Arrays.stream(text.split("&", -1))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> pair[0],
                        pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8),
                        (one, two) -> one + two,
                        TreeMap::new));
    }

    /** A sign-in that was begun: the cookie, and what the browser is to bring the issuer. */
    record Begun(String cookie, Map<String, String> query) {}

    Begun begin() throws Exception {
        return begun(send("GET", "/console/signin"));
    }

    /** The same of a browser that has a session. */
    Begun beginIn(String session) throws Exception {
        return begun(sendIn(session, "GET", "/console/signin"));
    }

    private Begun begun(HttpResponse<String> answer) throws Exception {
        String location = header(answer, "Location");
        if (answer.statusCode() != 303 || !location.startsWith(issuer + "/auth?theme=dark&")) {
            throw new IllegalStateException(answer.statusCode() + " " + location + " " + answer.body());
        }
        return new Begun(
                cookie(answer, SignInCookies.BEGUN),
                query(requireNonNull(URI.create(location).getRawQuery())));
    }

    /** What the issuer would do after its user said yes: a code. */
    String code(Begun begun) {
        String code = "code-" + codes.size() + begun.query().get("state");
        codes.put(code, begun.query());
        return code;
    }

    /** The issuer sends the browser back. */
    HttpResponse<String> back(Begun begun, String query, String... more) throws Exception {
        List<String> headers = new ArrayList<>(List.of(more));
        if (!headers.contains("Cookie")) {
            headers.addAll(List.of("Cookie", SignInCookies.BEGUN + "=" + begun.cookie()));
        }
        return send("GET", "/console/callback?" + query, headers.toArray(String[]::new));
    }

    /** Signs in; answers the id of the session. */
    String signIn() throws Exception {
        return end(begin());
    }

    /** What the browser has at the end. */
    String end(Begun begun) throws Exception {
        HttpResponse<String> answer =
                back(begun, "code=" + code(begun) + "&state=" + begun.query().get("state"));
        if (answer.statusCode() != 303) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        return cookie(answer, SignInCookies.SESSION);
    }

    HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + gate.ports().getFirst() + path))
                .timeout(Duration.ofMinutes(5))
                .method(method, BodyPublishers.noBody());
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> ask(HttpClient client, String url) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> sendIn(String session, String method, String path, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Cookie", "other=1; " + SignInCookies.SESSION + "=" + session));
        return send(method, path, all.toArray(String[]::new));
    }

    static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    /** The whole header by which the answer sets the cookie; empty where it does not. */
    static String setCookie(HttpResponse<?> answer, String name) {
        return answer.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .findFirst()
                .orElse("");
    }

    static String cookie(HttpResponse<?> answer, String name) {
        return setCookie(answer, name).replaceFirst("^[^=]*=", "").replaceFirst(";.*", "");
    }

    @Override
    public void close() throws Exception {
        client.close();
        gate.close();
        server.stop(0);
    }
}
