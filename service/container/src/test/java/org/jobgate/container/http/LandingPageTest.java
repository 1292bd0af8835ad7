// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.limits.Limit;
import org.jobgate.rest.console.ConsoleDoor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page at the root of the gateway. */
class LandingPageTest {

    private final Server server = new Server(0);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws Exception {
        Mounts mounts = new Mounts();
        mounts.fill(
                List.of(new ConsoleDoor(), new Other()),
                door -> new Limit("limits.maxBodyBytes", 1),
                door -> Boolean.FALSE);
        server.setHandler(new LandingPage("gate<&>.example.org", mounts, new DefaultHandler()));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.stop();
    }

    private HttpResponse<String> ask(String method, String path) throws Exception {
        URI address = server.getURI().resolve(path);
        return client.send(
                HttpRequest.newBuilder(address)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void everybodyIsToldWhatIsWhere() throws Exception {
        HttpResponse<String> page = ask("GET", "/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'");
        assertThat(page.body())
                .contains(
                        "href=\"/console/\"",
                        "other <things>".replace("<", "&lt;").replace(">", "&gt;"),
                        "/other/way")
                .contains("gate&lt;&amp;&gt;.example.org")
                .doesNotContain("<script", "openapi.json");
        HttpResponse<String> head = ask("HEAD", "/");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void whatIsNoLookAtItGoesOn() throws Exception {
        assertThat(ask("POST", "/").statusCode()).isEqualTo(404);
        assertThat(ask("GET", "/x").statusCode()).isEqualTo(404);
    }

    /** A door that nobody has in a browser. */
    private static final class Other implements FrontDoor {

        @Override
        public String name() {
            return "other";
        }

        @Override
        public List<Mount> mounts() {
            return List.of(new Mount() {
                @Override
                public String root() {
                    return "/other/way";
                }

                @Override
                public List<String> paths() {
                    return List.of("/other/way");
                }

                @Override
                public String what() {
                    return "other <things>";
                }

                @Override
                public List<String> methods() {
                    return List.of("GET");
                }
            });
        }
    }
}
