// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.door.ServletMount;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SmallLetterHeadersTest {

    private final Server server = new Server(0);

    private static FrontDoor door() {
        return new FrontDoor() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public List<Mount> mounts() {
                HttpServlet servlet = new HttpServlet() {};
                return List.of(
                        new ServletMount("/small", "small", servlet, List.of("GET"), Set.of(), Set.of("location")),
                        new ServletMount("/other", "others", servlet, List.of("GET")));
            }
        };
    }

    @BeforeEach
    void start() throws Exception {
        Mounts mounts = new Mounts();
        mounts.fill(List.of(door()), name -> new Limit("limits.maxBodyBytes", 1), name -> false);
        server.addBean(mounts);
        server.setHandler(new SmallLetterHeaders(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                response.getHeaders().put("Location", "/x");
                response.getHeaders().put("ETag", "1");
                callback.succeeded();
                return true;
            }
        }));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private String answer(String path) throws Exception {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), ((ServerConnector) server.getConnectors()[0]).getLocalPort())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void onlyTheHeadersOfThatMountAreWrittenSo() throws Exception {
        assertThat(answer("/small/a")).contains("\r\nlocation: /x\r\n", "\r\nETag: 1\r\n");
        assertThat(answer("/other/a")).contains("\r\nLocation: /x\r\n");
        assertThat(answer("/nothing")).contains("\r\nLocation: /x\r\n");
    }
}
