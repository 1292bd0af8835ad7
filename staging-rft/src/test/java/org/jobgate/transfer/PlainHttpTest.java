// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jobgate.transfer.https.HttpsProtocol;
import org.jobgate.transfer.https.PackingSettings;
import org.jobgate.transfer.https.PlainHosts;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferToken;
import org.jobgate.transfer.protocol.UrlPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain http: only hosts of the site's list, and no credential for any of them. */
class PlainHttpTest {

    private static final byte[] CONTENT = "the file".getBytes(StandardCharsets.UTF_8);

    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final Map<String, String> places = new ConcurrentHashMap<>();
    private HttpServer server;
    private FileServer secure;

    @BeforeEach
    void start() throws Exception {
        secure = new FileServer();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            String place = places.get(exchange.getRequestURI().getPath());
            if (place != null) {
                exchange.getResponseHeaders().set("Location", place);
                exchange.sendResponseHeaders(302, -1);
            } else {
                exchange.sendResponseHeaders(200, CONTENT.length);
                exchange.getResponseBody().write(CONTENT);
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        secure.close();
    }

    private URI url(String path) {
        return URI.create("http://localhost:" + server.getAddress().getPort() + path);
    }

    private HttpsProtocol protocol(boolean allowPrivate) {
        return HttpsProtocol.plain(
                credential -> secure.clientSide(),
                Duration.ofSeconds(20),
                new UrlPolicy(allowPrivate),
                PackingSettings.DEFAULTS,
                PlainHosts.parse(List.of("localhost:" + server.getAddress().getPort())));
    }

    private static TransferContext context() {
        TransferToken token =
                new TransferToken("t", "abc.def.ghi", Instant.now().plusSeconds(60));
        return new TransferContext("id", "alice", token, Map.of(), false, Duration.ofSeconds(20), null, new Heard());
    }

    private static byte[] fetch(HttpsProtocol http, URI url) throws Exception {
        try (Source source = http.open(url, 0, "", context())) {
            return source.bytes().readAllBytes();
        }
    }

    @Test
    void aListedHostIsAskedWithoutTheToken() throws Exception {
        try (HttpsProtocol http = protocol(true)) {
            assertThat(http.schemes()).containsExactly("http");
            assertThat(http.refusal(url("/x"))).isEmpty();
            assertThat(fetch(http, url("/x"))).isEqualTo(CONTENT);
        }
        assertThat(authorizations).containsExactly("null");
    }

    @Test
    void aRedirectMayLeadToHttpsAndTheTokenDoesNotGoThere() throws Exception {
        secure.files.put("/y", CONTENT);
        places.put("/x", secure.url("/y").toString());
        try (HttpsProtocol http = protocol(true)) {
            assertThat(fetch(http, url("/x"))).isEqualTo(CONTENT);
        }
        assertThat(secure.authorizations).containsExactly("none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1:9/secret", "http://169.254.169.254/latest/meta-data", "ftp://localhost/x"})
    void aRedirectToAHostThatIsNotListedIsNotFollowed(String place) throws Exception {
        places.put("/x", place);
        try (HttpsProtocol http = protocol(true)) {
            assertThatThrownBy(() -> fetch(http, url("/x")))
                    .hasMessageContaining("nor one of staging.httpHosts")
                    .asInstanceOf(type(TransferException.class))
                    .extracting(TransferException::kind)
                    .isEqualTo(TransferException.Kind.PERMANENT);
        }
    }

    @Test
    void aHostThatIsNotListedIsNotAsked() throws Exception {
        URI other = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/x");
        try (HttpsProtocol http = protocol(true)) {
            assertThat(http.refusal(other)).get().asString().contains("staging.httpHosts");
            assertThatThrownBy(() -> fetch(http, other)).hasMessageContaining("without encryption");
        }
        assertThat(authorizations).isEmpty();
    }

    /** To be on the list makes no inner address reachable: that is the site's other word. */
    @Test
    void aListedHostAtAForbiddenAddressIsNotAsked() throws Exception {
        try (HttpsProtocol http = protocol(false)) {
            assertThatThrownBy(() -> fetch(http, url("/x"))).hasMessageContaining("own machine");
        }
        assertThat(authorizations).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "data.example.org, http://data.example.org/x, true",
        "data.example.org, http://DATA.example.org:80/x, true",
        "Data.Example.Org, http://data.example.org/x, true",
        "data.example.org, http://data.example.org:8080/x, false",
        "data.example.org:8080, http://data.example.org:8080/x, true",
        "data.example.org:8080, http://data.example.org/x, false",
        "*.example.org, http://a.b.example.org/x, true",
        "*.example.org, http://example.org/x, false",
        "*.example.org, http://evilexample.org/x, false",
        "[2001:db8::1]:8080, http://[2001:db8::1]:8080/x, true",
    })
    void theListNamesHostsAndPorts(String listed, String url, boolean isOn) throws Exception {
        try (HttpsProtocol http = HttpsProtocol.plain(
                credential -> secure.clientSide(),
                Duration.ofSeconds(1),
                new UrlPolicy(true),
                PackingSettings.DEFAULTS,
                PlainHosts.parse(List.of(listed)))) {
            assertThat(http.refusal(URI.create(url)).isEmpty()).isEqualTo(isOn);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "", "http://a", "a/b", "a:0", "a:70000", "a:b", "user@a", "a.*.org"})
    void aListThatSaysNothingClearIsRefused(String listed) {
        assertThatThrownBy(() -> PlainHosts.parse(List.of(listed))).isInstanceOf(IllegalArgumentException.class);
    }
}
