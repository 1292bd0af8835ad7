// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the console, and the headers that keep other sites from using them; what they do in a browser is ConsoleIT's. */
class ConsoleServletTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private final Server server = new Server(0);

    @BeforeEach
    void start() throws Exception {
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServlet(new ServletHolder(new ConsoleServlet()), "/console/*");
        server.setHandler(context);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        client.close();
    }

    private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        return client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void thePageLoadsWhatIsThereAndNothingElse() throws Exception {
        HttpResponse<byte[]> page = get("/console/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(header(page, "Content-Type")).isEqualTo("text/html;charset=utf-8");
        assertThat(header(page, "Content-Security-Policy"))
                .contains("default-src 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        String text = new String(page.body(), StandardCharsets.UTF_8);
        var named = Pattern.compile("(?:src|href)=\"([a-z.]+)\"").matcher(text);
        assertThat(named.results().map(found -> found.group(1)))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(get("/console/" + name).statusCode())
                        .as(name)
                        .isEqualTo(200));
        assertThat(text).doesNotContain("<script>", " style=", "onclick");
    }

    @Test
    void everyModuleThatOneImportsIsServed() throws Exception {
        for (String name : ConsoleFile.NAMES) {
            String text = new String(get("/console/" + name).body(), StandardCharsets.UTF_8);
            var imported = Pattern.compile("from './([a-z.]+)'").matcher(text);
            assertThat(imported.results().map(found -> found.group(1))).isSubsetOf(ConsoleFile.NAMES);
            assertThat(text).as(name).doesNotContain("innerHTML", "insertAdjacentHTML", "document.write", "eval(");
        }
    }

    @Test
    void aFileThatABrowserHasIsNotSentAgain() throws Exception {
        String tag = header(get("/console/kit.js"), "ETag");
        HttpResponse<byte[]> again = get("/console/kit.js", "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(get("/console/kit.js", "If-None-Match", "\"other\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void aBrowserThatUnpacksGetsItPacked() throws Exception {
        byte[] plain = get("/console/jobs.js").body();
        HttpResponse<byte[]> packed = get("/console/jobs.js", "Accept-Encoding", "br, gzip;q=0.8");
        assertThat(header(packed, "Content-Encoding")).isEqualTo("gzip");
        assertThat(packed.body()).hasSizeLessThan(plain.length / 2);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
            assertThat(in.readAllBytes()).isEqualTo(plain);
        }
        assertThat(header(get("/console/jobs.js", "Accept-Encoding", "gzip;q=0"), "Content-Encoding"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/package-info.class",
                "/console/ConsoleServlet.class",
                "/console/a/kit.js",
                "/console/kit.jsx",
                "/console/x<b>"
            })
    void nothingElseIsServed(String path) throws Exception {
        HttpResponse<byte[]> answer = get(path.replace("<", "%3C").replace(">", "%3E"));
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).doesNotContain("x%3C", "<b>");
        assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
    }

    @Test
    void theAddressWithoutASlashLeadsToThePage() throws Exception {
        HttpResponse<byte[]> answer = get("/console");
        assertThat(answer.statusCode()).isEqualTo(301);
        assertThat(header(answer, "Location")).isEqualTo("/console/");
    }
}
