// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.Servlet;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.apache.cxf.Bus;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.health.Health;
import org.jobgate.container.metrics.HttpMetrics;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.delegation.token.TokenValidator;

/**
 * The HTTPS connectors and what a request passes on its way to a front door, in order: the pace of its client, the recorder, the headers
 * of every answer, the limits of load, its own form, the caller's identity, its turn, the limits of its body, monitoring, the front doors.
 *
 * <p>Requests run on virtual threads. Connections are read, and so their requests begun, in turn ({@link TurnGate}).
 */
public final class HttpService implements AutoCloseable {

    /** The path below which front doors publish their services. */
    public static final String SERVICES = "/wsrf/services";

    /** The path below which the files of jobs are. */
    public static final String JOBS = "/jobs";

    /** Threads of the selector, the acceptor and the scheduler; requests have their own. */
    private static final int PLATFORM_THREADS = 16;

    private final Server server;
    private final List<ServerConnector> connectors;
    private final LoadLimits load;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * What a request meets.
     *
     * @param doors front doors beside those of SOAP, by the path below which they are
     */
    public record Parts(
            SSLContext tls,
            ChainValidator validator,
            TokenValidator tokens,
            RefusalLog refusals,
            Bus bus,
            Map<String, Servlet> doors,
            Health health,
            Metrics metrics,
            Clock clock,
            RandomGenerator random) {}

    public HttpService(JobgateConfig config, Parts parts) {
        requireNonNull(config, "config is null");
        QueuedThreadPool threads = new QueuedThreadPool(PLATFORM_THREADS, 4);
        threads.setName("http");
        Executor requestThreads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("request-", 0).factory());
        threads.setVirtualThreadsExecutor(requestThreads);
        this.server = new Server(threads);
        RefusingErrors errors =
                new RefusingErrors(config.limits().maxHeaderBytes().bytes());
        Handler doors = frontDoors(parts.bus(), parts.doors(), errors);
        Handler monitored = new MonitoringHandler(parts.health(), parts.metrics(), config.monitoring(), doors);
        BodyLimit bodies = new BodyLimit(config.limits(), config.clients(), System::nanoTime, monitored);
        HeapRoom heap = HeapRoom.ofThisProcess();
        SessionCallers callers = new SessionCallers(parts.validator(), parts.clock());
        TurnGate gate =
                new TurnGate(config.limits(), callers::of, requestThreads, server.getScheduler(), System::nanoTime);
        Handler inTurn = new TurnHandler(gate, bodies);
        this.load = new LoadLimits(
                config.limits().maxConnections(),
                config.limits().maxConcurrentRequests(),
                heap,
                parts.refusals(),
                new RequestForm(
                        config.limits().maxBodyBytes().bytes(),
                        System::nanoTime,
                        known(config, parts, callers, inTurn)));
        HttpMetrics metrics = parts.metrics()
                .http(new HttpMetrics.Load(
                        load::connections,
                        load::requests,
                        gate::waitingRequests,
                        gate::waitingHandshakes,
                        bodies::inFlight));
        ClientPace pace = new ClientPace(
                config.clients(),
                server.getScheduler(),
                parts.refusals(),
                System::nanoTime,
                new RequestRecorder(metrics, parts.random(), System::nanoTime, new SecurityHeaders(load)));
        server.setHandler(new GracefulHandler(pace));
        server.setErrorHandler(errors);
        this.connectors = connectors(
                config,
                new Connectors(
                        config,
                        parts.tls(),
                        metrics,
                        gate,
                        List.of(load, pace, new HeapAdmission(heap, parts.refusals()))));
        connectors.forEach(server::addConnector);
        int hardLimit = config.limits().maxConnections() + config.limits().maxConnections() / 8 + 16;
        server.addBean(new NetworkConnectionLimit(hardLimit, connectors.toArray(Connector[]::new)));
    }

    private static Handler known(JobgateConfig config, Parts parts, SessionCallers callers, Handler next) {
        return new CallerHandler(
                callers,
                new BearerTokens(parts.tokens(), parts.refusals()),
                config.credentials().limitedProxies(),
                parts.clock(),
                next);
    }

    private List<ServerConnector> connectors(JobgateConfig config, Connectors maker) {
        List<ServerConnector> made = new ArrayList<>();
        made.add(maker.make(server, PortRules.first(config)));
        for (int i = 0; i < config.ports().size(); i++) {
            made.add(maker.make(server, PortRules.further(config, i)));
        }
        return List.copyOf(made);
    }

    private static Handler frontDoors(Bus bus, Map<String, Servlet> doors, RefusingErrors errors) {
        SoapServlet soap = new SoapServlet();
        soap.setBus(bus);
        ServletHolder holder = new ServletHolder("soap", soap);
        holder.setInitParameter("hide-service-list-page", "true");
        holder.setInitOrder(1);
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServlet(holder, SERVICES + "/*");
        doors.forEach((path, door) -> context.addServlet(new ServletHolder(path, door), path + "/*"));
        context.setErrorHandler(errors);
        // what has no door is nobody's: the servlet that would answer for it echoes TRACE, and allows OPTIONS
        context.getServletHandler().setEnsureDefaultServlet(false);
        // a door that asks for the decoded path gets one; the files of jobs are found by the encoded one
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        return context;
    }

    /**
     * Takes the ports, so that what needs to know them can be made; nobody is answered before {@link #start}.
     *
     * @return the first port
     * @throws ConfigurationException if an address cannot be had
     */
    public int open() {
        connectors.forEach(Connectors::open);
        return port();
    }

    /** Begins to answer. */
    public void start() {
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP service cannot start", e);
        }
    }

    /** The first port that is listened on. */
    public int port() {
        return connectors.getFirst().getLocalPort();
    }

    /** All ports that are listened on, those of {@code ports} in their order after the first. */
    public List<Integer> ports() {
        return connectors.stream().map(ServerConnector::getLocalPort).toList();
    }

    /**
     * Takes no new connections and requests, and lets those that run finish within the time; what still runs then is cut off. A second call
     * does nothing.
     *
     * @throws IllegalStateException if some did not finish
     */
    public void stop(Duration timeout) {
        server.setStopTimeout(Math.max(timeout.toMillis(), 1));
        close();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP service did not stop cleanly", e);
        } finally {
            connectors.forEach(ServerConnector::close);
        }
    }
}
