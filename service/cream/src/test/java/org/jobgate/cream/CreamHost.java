// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jobgate.door.RestOfBodies;
import org.jobgate.identity.Identity;
import org.jobgate.soap.Answer;

/** A plain HTTP server for the door, and a client of it. */
final class CreamHost implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final Bus bus = new CXFBusFactory().createBus();

    CreamHost() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        CXFNonSpringServlet servlet = new CXFNonSpringServlet();
        servlet.setBus(bus);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(servlet), CreamDoor.ROOT + "/*");
        context.addFilter(
                new FilterHolder((request, response, chain) -> {
                    String subject = ((HttpServletRequest) request).getHeader("Test-Subject");
                    if (subject != null) {
                        request.setAttribute(Identity.REQUEST_ATTRIBUTE, new Identity(subject, "test", false));
                    }
                    chain.doFilter(request, response);
                }),
                "/*",
                EnumSet.of(DispatcherType.REQUEST));
        server.setHandler(new RestOfBodies(context));
        server.start();
    }

    Bus bus() {
        return bus;
    }

    String url() {
        return "http://127.0.0.1:" + connector.getLocalPort();
    }

    Answer post(String subject, String envelope, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + CreamDoor.ROOT + "/CREAM2"))
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("Test-Subject", subject)
                .POST(HttpRequest.BodyPublishers.ofString(envelope));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> response = send(request.build());
        return new Answer(response.statusCode(), response.body());
    }

    /** What a GET answers that is answered with 200. */
    String get(String path) {
        HttpResponse<String> response = send(HttpRequest.newBuilder(URI.create(url() + CreamDoor.ROOT + path))
                .build());
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " is answered with " + response.statusCode());
        }
        return response.body();
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws Exception {
        server.stop();
        bus.shutdown(true);
    }
}
