// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.Servlet;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.apache.cxf.Bus;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.ServerConfig;
import org.jobgate.container.health.Health;
import org.jobgate.container.metrics.HttpMetrics;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.TlsContexts;

/**
 * The one HTTPS connector and what a request passes on its way to a front door, in order: the recorder, the limits of load, the
 * caller's identity, the limits of its body, monitoring, the front doors.
 *
 * <p>Requests run on virtual threads; the number of connections bounds them.
 */
public final class HttpService implements AutoCloseable {

    /** The path below which front doors publish their services. */
    public static final String SERVICES = "/wsrf/services";

    /** The path below which the files of jobs are. */
    public static final String JOBS = "/jobs";

    /** Threads of the selector, the acceptor and the scheduler; requests have their own. */
    private static final int PLATFORM_THREADS = 16;

    private final Server server;
    private final ServerConnector connector;
    private final LoadLimits load;
    private final ServerConfig config;

    /**
     * What a request meets.
     *
     * @param doors front doors beside those of SOAP, by the path below which they are
     */
    public record Parts(
            SSLContext tls,
            ChainValidator validator,
            Bus bus,
            Map<String, Servlet> doors,
            Health health,
            Metrics metrics,
            Clock clock,
            RandomGenerator random) {}

    public HttpService(JobgateConfig config, Parts parts) {
        this.config = requireNonNull(config, "config is null").server();
        QueuedThreadPool threads = new QueuedThreadPool(PLATFORM_THREADS, 4);
        threads.setName("http");
        threads.setVirtualThreadsExecutor(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("request-", 0).factory()));
        this.server = new Server(threads);
        Handler doors = frontDoors(parts.bus(), parts.doors());
        Handler monitored = new MonitoringHandler(parts.health(), parts.metrics(), config.monitoring(), doors);
        BodyLimit bodies = new BodyLimit(config.limits(), monitored);
        Handler known = new CallerHandler(parts.validator(), parts.clock(), bodies);
        this.load = new LoadLimits(config.limits(), known);
        HttpMetrics metrics = parts.metrics().http(load::connections, load::requests, bodies::inFlight);
        server.setHandler(new GracefulHandler(new RequestRecorder(metrics, parts.random(), System::nanoTime, load)));
        server.setErrorHandler(quietErrors());
        this.connector = connector(config, parts.tls(), metrics);
        server.addConnector(connector);
        int hardLimit = config.limits().maxConnections() + config.limits().maxConnections() / 8 + 16;
        server.addBean(new NetworkConnectionLimit(hardLimit, connector));
    }

    private static Handler frontDoors(Bus bus, Map<String, Servlet> doors) {
        CXFNonSpringServlet soap = new CXFNonSpringServlet();
        soap.setBus(bus);
        ServletHolder holder = new ServletHolder("soap", soap);
        holder.setInitParameter("hide-service-list-page", "true");
        holder.setInitOrder(1);
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServlet(holder, SERVICES + "/*");
        doors.forEach((path, door) -> context.addServlet(new ServletHolder(path, door), path + "/*"));
        context.setErrorHandler(quietErrors());
        return context;
    }

    private static ErrorHandler quietErrors() {
        ErrorHandler errors = new ErrorHandler();
        errors.setShowStacks(false);
        errors.setShowCauses(false);
        return errors;
    }

    private ServerConnector connector(JobgateConfig all, SSLContext tls, HttpMetrics metrics) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(Math.toIntExact(all.limits().maxHeaderBytes().bytes()));
        http.setIdleTimeout(config.idleTimeout().toMillis());
        // clients reach us by whatever name their site gave them, and check ours by the trust directory
        http.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server factory = new SslContextFactory.Server();
        factory.setSslContext(tls);
        factory.setWantClientAuth(true);
        factory.setIncludeProtocols(TlsContexts.PROTOCOLS.toArray(String[]::new));
        factory.setRenegotiationAllowed(false);
        SslConnectionFactory ssl = new SslConnectionFactory(factory, "http/1.1");
        ssl.addBean(new HandshakeFailures(metrics));
        ServerConnector made = new ServerConnector(server, 1, 1, ssl, new HttpConnectionFactory(http));
        made.setHost(config.host());
        made.setPort(config.port());
        made.setIdleTimeout(config.idleTimeout().toMillis());
        made.setAcceptQueueSize(1024);
        made.addBean(load);
        return made;
    }

    /**
     * Takes the port, so that what needs to know it can be made; nobody is answered before {@link #start}.
     *
     * @return the port
     * @throws ConfigurationException if the address cannot be had
     */
    public int open() {
        try {
            connector.open();
            return connector.getLocalPort();
        } catch (IOException e) {
            throw new ConfigurationException(
                    List.of("server.host = " + config.host() + ", server.port = " + config.port()
                            + ": cannot listen there (" + e.getMessage() + "); is another service using the port?"));
        }
    }

    /** Begins to answer. */
    public void start() {
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP service cannot start", e);
        }
    }

    /** The port that is listened on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Takes no new connections and requests, and lets those that run finish within the time. */
    public void stop(Duration timeout) {
        server.setStopTimeout(Math.max(timeout.toMillis(), 1));
        close();
    }

    @Override
    public void close() {
        try {
            server.stop();
            connector.close();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP service did not stop cleanly", e);
        }
    }

    /** Counts the handshakes that failed. */
    private record HandshakeFailures(HttpMetrics metrics) implements SslHandshakeListener {
        @Override
        public void handshakeFailed(Event event, Throwable failure) {
            metrics.handshakeFailed(failure);
        }
    }
}
