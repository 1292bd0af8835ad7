// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.apache.cxf.Bus;
import org.apache.cxf.bus.CXFBusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jobgate.authz.Decision;
import org.jobgate.gram.notification.JdkConsumerClient;
import org.jobgate.gram.notification.NotifierSettings;
import org.jobgate.identity.Identity;
import org.jobgate.lifecycle.JobEngine;
import org.jobgate.lifecycle.Jobs;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** The door behind a real HTTP server, with jobs that a test controls. Who calls is told by the header {@code Test-Subject}. */
public final class Door implements AutoCloseable {

    public static final String ALICE = "/O=H9Test/CN=Alice Tester";
    public static final Instant NOW = Instant.parse("2026-11-20T14:55:55Z");

    private final Server server = new Server();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Bus bus = new CXFBusFactory().createBus();
    private final JdkConsumerClient consumers = new JdkConsumerClient(ssl(), Duration.ofSeconds(2));
    private final String baseUrl;
    public final FakeStore store = new FakeStore();
    public final FakeJobs jobs;
    public final GramDoor door;

    public Door() {
        this(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    public Door(Clock clock) {
        this(clock, NotifierSettings.defaults());
    }

    /** A door whose notifier is not started. */
    public Door(Clock clock, NotifierSettings notifier) {
        this(clock, notifier, null, null);
    }

    /** A door with other settings than the default ones. */
    public Door(UnaryOperator<GramSettings> settings) {
        this(Clock.fixed(NOW, ZoneOffset.UTC), NotifierSettings.defaults(), null, null, settings);
    }

    private Door(Clock clock, NotifierSettings notifier, @Nullable Jobs realJobs, @Nullable JobStore realStore) {
        this(clock, notifier, realJobs, realStore, UnaryOperator.identity());
    }

    /** A door before a real engine and its store; those that a test controls stay empty. */
    Door(JobEngine engine, JobStore real) {
        this(Clock.systemUTC(), NotifierSettings.defaults(), engine, real);
    }

    private Door(
            Clock clock,
            NotifierSettings notifier,
            @Nullable Jobs realJobs,
            @Nullable JobStore realStore,
            UnaryOperator<GramSettings> settings) {
        jobs = new FakeJobs(store, clock);
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(1_024); // a test may connect a thousand times at once
        server.addConnector(connector);
        CXFNonSpringServlet servlet = new CXFNonSpringServlet();
        servlet.setBus(bus);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(servlet), "/wsrf/services/*");
        context.addFilter(
                new FilterHolder((request, response, chain) -> {
                    String subject = ((HttpServletRequest) request).getHeader("Test-Subject");
                    boolean limited = ((HttpServletRequest) request).getHeader("Test-Limited") != null;
                    if (subject != null) {
                        request.setAttribute(Identity.REQUEST_ATTRIBUTE, new Identity(subject, "test", limited));
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
        door = new GramDoor(
                        settings.apply(settings(notifier)),
                        realJobs == null ? jobs : realJobs,
                        realStore == null ? store : realStore,
                        identity -> identity.subject().contains("Mallory")
                                ? new Decision.Deny("no line of the grid-mapfile names the subject")
                                : new Decision.Permit(List.of("alice", "shared")),
                        account -> name ->
                                Optional.ofNullable(name.equals("GLOBUS_USER_HOME") ? "/home/" + account : null),
                        consumers,
                        clock)
                .publish(bus);
    }

    private GramSettings settings(NotifierSettings notifier) {
        GramSettings defaults = GramSettings.defaults(baseUrl, "/opt/jobgate");
        return new GramSettings(
                baseUrl, defaults.facts(), defaults.jobLimits(), defaults.soapLimits(), defaults.waiting(), notifier);
    }

    private static SSLContext ssl() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public String baseUrl() {
        return baseUrl;
    }

    /** Posts an envelope as Alice. */
    public Answer post(String service, String envelope) {
        return post(service, envelope, "Test-Subject", ALICE);
    }

    /** Posts an envelope with these HTTP headers. */
    public Answer post(String service, String envelope, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + "/" + service))
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"something\"")
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
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        door.close();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        bus.shutdown(true);
        consumers.close();
        client.close();
    }
}
