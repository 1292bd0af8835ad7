// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
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
import org.jobgate.authz.Decision;
import org.jobgate.delegation.vault.VaultSettings;
import org.jobgate.gram.query.QueryLimits;
import org.jobgate.gram.soap.MessageGuards;
import org.jobgate.gram.soap.SoapLimits;
import org.jobgate.gram.xml.XmlElement;
import org.jobgate.gram.xml.XmlLimits;
import org.jobgate.gram.xml.XmlTree;
import org.jobgate.identity.Identity;
import org.jobgate.limits.Limit;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;

/** The delegation services behind a real HTTP server. Who calls is told by the header {@code Test-Subject}. */
public final class DelegationDoor implements AutoCloseable {

    private final Server server = new Server();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Bus bus = new CXFBusFactory().createBus();
    private final JobStore store;
    private final Delegation delegation;
    private final String baseUrl;

    public DelegationDoor(TestGrid grid, Path directory) {
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        CXFNonSpringServlet servlet = new CXFNonSpringServlet();
        servlet.setBus(bus);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(servlet), "/wsrf/services/*");
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
        server.setHandler(context);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        baseUrl = "http://127.0.0.1:" + connector.getLocalPort() + "/wsrf/services";
        store = TestStores.sqlite(directory);
        DelegationSettings settings = new DelegationSettings(
                directory.resolve("site.key"),
                1,
                new Limit("delegation.maxPendingKeys", 10),
                VaultSettings.defaults(),
                Duration.ofMinutes(1),
                SoapLimits.defaults(),
                QueryLimits.defaults(),
                "1.2.3");
        delegation = new Delegation(
                settings,
                store,
                grid.check(),
                identity -> new Decision.Permit(List.of("somebody")),
                Clock.systemUTC(),
                new SecureRandom());
        delegation.publish(bus, baseUrl, MessageGuards.NONE);
    }

    public String baseUrl() {
        return baseUrl;
    }

    public Delegation delegation() {
        return delegation;
    }

    /**
     * What the server answered.
     *
     * @param text its body
     */
    public record Answer(int status, String text) {

        /** The element in the SOAP body. */
        public XmlElement body() {
            return XmlTree.parse(text.getBytes(StandardCharsets.UTF_8), XmlLimits.defaults())
                    .child("Body")
                    .orElseThrow()
                    .children()
                    .getFirst();
        }
    }

    public Answer post(String subject, String service, String envelope) {
        return send(HttpRequest.newBuilder(URI.create(baseUrl + "/" + service))
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("Test-Subject", subject)
                .POST(HttpRequest.BodyPublishers.ofString(envelope))
                .build());
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

    @Override
    public void close() {
        delegation.close();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        bus.shutdown(true);
        client.close();
        store.close();
    }
}
