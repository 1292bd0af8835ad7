// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two slashes at the beginning of a path are one; other empty parts are refused. */
class LeadingSlashesTest {

    private static final Server SERVER = new Server();
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        HttpConfiguration http = new HttpConfiguration();
        http.setUriCompliance(UriCompliance.DEFAULT.with("TEST", UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT));
        http.addCustomizer(new LeadingSlashes());
        ServerConnector connector = new ServerConnector(SERVER, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        SERVER.addConnector(connector);
        SERVER.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.Sink.write(
                        response, true, "path=" + request.getHttpURI().getPathQuery(), callback);
                return true;
            }
        });
        SERVER.start();
        port = connector.getLocalPort();
    }

    @AfterAll
    static void stop() throws Exception {
        SERVER.stop();
    }

    private static String get(String target) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("GET " + target + " HTTP/1.0\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theFirstOfTwoSlashesIsTakenAway() throws IOException {
        assertThat(get("//ce-cream/services/CREAM2?wsdl"))
                .contains("200 OK")
                .endsWith("path=/ce-cream/services/CREAM2?wsdl");
        assertThat(get("/ce-cream/services/CREAM2")).contains("200 OK").endsWith("path=/ce-cream/services/CREAM2");
    }

    @Test
    void otherEmptyPartsAreRefused() throws IOException {
        for (String path : new String[] {"/a//b", "///a", "//a//b", "/a//", "//"}) {
            String answer = get(path);
            assertThat(answer).as(path).doesNotContain("path=/a//").doesNotContain("path=//");
        }
        assertThat(get("/jobs//x")).contains("400 ");
        assertThat(get("///jobs")).contains("400 ");
    }
}
