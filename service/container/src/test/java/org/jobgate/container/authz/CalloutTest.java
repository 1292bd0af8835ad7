// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.authz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.authz.Action;
import org.jobgate.authz.AuthzRequest;
import org.jobgate.authz.PointDecision;
import org.jobgate.container.tls.TestPki;
import org.jobgate.identity.Identity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Services and programs outside, which may answer anything. */
class CalloutTest {

    private static final AuthzRequest ALICE = AuthzRequest.of(
            new Identity("/O=Grid/CN=Alice $(touch x); 'q'", "tls", false, List.of("/atlas"), List.of()),
            Action.SUBMIT);

    @TempDir
    Path folder;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    private PointDecision command(Duration timeout, String script) throws IOException {
        Path program = Files.writeString(folder.resolve("program"), script);
        return new CommandCallout("ask", List.of("/bin/sh", program.toString()), timeout, executor).judge(ALICE);
    }

    private PointDecision command(String script) throws IOException {
        return command(Duration.ofSeconds(30), script);
    }

    @Test
    void aProgramIsAskedOnItsInputAndNothingOfTheCallerIsOnItsCommandLine() throws IOException {
        Path asked = folder.resolve("asked");
        Path words = folder.resolve("words");
        PointDecision decision = command(
                "cat > " + asked + "; tr '\\0' ' ' < /proc/$$/cmdline > " + words
                        + "; env > " + folder.resolve("environment")
                        + "; echo '{\"decision\":\"permit\",\"accounts\":[\"alice\",\"shared\"],\"reason\":\"of the\\u000aclub\"}'");

        assertThat(decision).isEqualTo(new PointDecision.Permit(List.of("alice", "shared"), "of the club"));
        JsonNode question = new JsonMapper().readTree(Files.readString(asked));
        assertThat(question.path("subject").asString("")).isEqualTo("/O=Grid/CN=Alice $(touch x); 'q'");
        assertThat(question.path("action").asString("")).isEqualTo("submit");
        assertThat(question.path("fqans").toString()).isEqualTo("[\"/atlas\"]");
        assertThat(Files.readString(words)).isEqualTo("/bin/sh " + folder.resolve("program") + " ");
        assertThat(Files.readAllLines(folder.resolve("environment")))
                .allMatch(line -> line.matches("(PATH|PWD|OLDPWD|SHLVL|_)=.*"));
    }

    @Test
    void whateverIsNoGoodAnswerCannotBeSaid() throws IOException {
        for (String script : List.of(
                "exit 3",
                "echo '{\"decision\":\"permit\"}'; exit 1",
                "echo permit",
                "echo '{\"decision\":\"yes\"}'",
                "echo '{\"decision\":\"permit\",\"accounts\":[\"-rf\"]}'",
                "head -c 200000 /dev/zero")) {
            assertThat(command(script).word()).as(script).isEqualTo("indeterminate");
        }
        assertThat(new CommandCallout("ask", List.of("/no/such"), Duration.ofSeconds(5), executor)
                        .judge(ALICE)
                        .word())
                .isEqualTo("indeterminate");
        assertThat(command("echo '{\"decision\":\"deny\",\"reason\":\"not today\"}'"))
                .isEqualTo(new PointDecision.Deny("not today"));
    }

    @Test
    void aProgramThatDoesNotEndIsKilledWithWhatItStarted() throws Exception {
        Path pid = folder.resolve("pid");
        // longer where the machine is so slow that it was killed before it had said which
        for (int seconds = 2; seconds < 60 && (!Files.exists(pid) || Files.size(pid) == 0); seconds *= 3) {
            assertThat(command(Duration.ofSeconds(seconds), "sleep 600 & echo $! > " + pid + "; wait")
                            .word())
                    .isEqualTo("indeterminate");
        }
        long child = Long.parseLong(Files.readString(pid).strip());
        for (int i = 0; i < 300 && ProcessHandle.of(child).isPresent(); i++) {
            Thread.sleep(100);
        }
        assertThat(ProcessHandle.of(child)).isEmpty();
    }

    // --- over https

    private static SSLContext tls(TestPki.Credential own, TestPki.Credential authority) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("own", own.key(), new char[0], own.chain());
        keys.setCertificateEntry("ca", authority.chain()[0]);
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, new char[0]);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void aServiceIsAskedOverHttpsAndItsFailuresCannotBeSaid() throws Exception {
        TestPki pki = new TestPki("CN=CA,O=Grid");
        TestPki.Credential host = pki.issue("CN=localhost,O=Grid");
        SSLContext context = tls(host, host);
        AtomicReference<String> asked = new AtomicReference<>("");
        AtomicReference<String> answer = new AtomicReference<>("");
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(executor);
        server.createContext("/", exchange -> {
            asked.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] bytes = String.valueOf(answer.get()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(bytes.length == 0 ? 500 : 200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        URI address = URI.create("https://localhost:" + server.getAddress().getPort() + "/decide");
        try (HttpCallout callout = new HttpCallout(
                "club", address, Wording.JSON, Duration.ofSeconds(20), context, Destinations.ofSite(new OwnPorts()))) {
            answer.set("{\"decision\":\"permit\",\"accounts\":[\"alice\"],\"reason\":\"member\"}");
            assertThat(callout.judge(ALICE)).isEqualTo(new PointDecision.Permit(List.of("alice"), "member"));
            assertThat(asked.get()).contains("\"action\":\"submit\"", "\"fqans\":[\"/atlas\"]");
            answer.set("");
            assertThat(callout.judge(ALICE).word()).isEqualTo("indeterminate");
            answer.set("x".repeat(CalloutMessage.MAX_BYTES + 1));
            assertThat(callout.judge(ALICE).word()).isEqualTo("indeterminate");
            server.stop(0);
            assertThat(callout.judge(ALICE).reason()).isEqualTo("The authorization service club gave no answer");
        } finally {
            server.stop(0);
        }
    }
}
