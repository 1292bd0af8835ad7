// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.soap;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jobgate.door.Mount;
import org.jobgate.door.RestOfBodies;
import org.jobgate.identity.Identity;

/**
 * A real HTTP server for the SOAP services that a test publishes on its bus, and a client of it. Who calls is told by the header
 * {@code Test-Subject}; {@code Test-Limited} makes it the holder of a limited proxy.
 */
public final class SoapServer implements AutoCloseable {

    /** The header that says who calls. */
    public static final String SUBJECT = "Test-Subject";

    /** The header that names what was delegated on the connection. */
    public static final String DELEGATED = "Test-Delegated";

    private static final String PATH = "/wsrf/services";

    private final Server server = new Server();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Bus bus = new CXFBusFactory().createBus();
    private final String baseUrl;

    /** Starts it, without services. */
    public SoapServer() {
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(1_024); // a test may connect a thousand times at once
        server.addConnector(connector);
        CXFNonSpringServlet servlet = new CXFNonSpringServlet();
        servlet.setBus(bus);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(servlet), PATH + "/*");
        context.addFilter(
                new FilterHolder((request, response, chain) -> {
                    String subject = ((HttpServletRequest) request).getHeader(SUBJECT);
                    boolean limited = ((HttpServletRequest) request).getHeader("Test-Limited") != null;
                    if (subject != null) {
                        request.setAttribute(Identity.REQUEST_ATTRIBUTE, new Identity(subject, "test", limited));
                        request.setAttribute(
                                Identity.DELEGATED_ATTRIBUTE, ((HttpServletRequest) request).getHeader(DELEGATED));
                    }
                    chain.doFilter(request, response);
                }),
                "/*",
                EnumSet.of(DispatcherType.REQUEST));
        server.setHandler(new RestOfBodies(context));
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        baseUrl = "http://127.0.0.1:" + connector.getLocalPort() + PATH;
    }

    /** Where services are published. */
    public Bus bus() {
        return bus;
    }

    public String baseUrl() {
        return baseUrl;
    }

    /** Scheme, address and port. */
    public String url() {
        return baseUrl.substring(0, baseUrl.length() - PATH.length());
    }

    /** Publishes the services of a door, whose messages come as they are. */
    public void publish(List<Mount> mounts) {
        mounts.forEach(mount -> ((SoapMount) mount).publish(bus, MessageGuards.NONE));
    }

    /** Posts an envelope to a service with these HTTP headers, name and value by turns. */
    public Answer post(String service, String envelope, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + "/" + service))
                .header("Content-Type", "text/xml; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofByteArray(envelope.getBytes(StandardCharsets.UTF_8)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    public Answer get(String pathAndQuery) {
        return send(
                HttpRequest.newBuilder(URI.create(baseUrl + "/" + pathAndQuery)).build());
    }

    private Answer send(HttpRequest request) {
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the server and shuts the bus down. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        bus.shutdown(true);
        client.close();
    }
}
