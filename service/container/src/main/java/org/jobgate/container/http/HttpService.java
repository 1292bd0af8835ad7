// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jobgate.access.Access;
import org.jobgate.access.Delegations;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.health.Health;
import org.jobgate.container.metrics.HttpMetrics;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.signin.SignIn;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.delegation.token.TokenValidator;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.door.ServletMount;
import org.jobgate.soap.SoapMount;
import org.jspecify.annotations.Nullable;

/**
 * The HTTPS connectors and what a request passes on its way to a front door, in order: the pace of its client, the recorder, the headers
 * of every answer, the limits of load, its own form, the caller's identity, signing in, its turn, the limits of its body, monitoring, the front doors.
 *
 * <p>Requests run on virtual threads. Connections are read, and so their requests begun, in turn ({@link TurnGate}).
 */
public final class HttpService implements AutoCloseable {

    /** Threads of the first port's selector and acceptor and of the scheduler; requests have their own. */
    private static final int PLATFORM_THREADS = 16;

    /** The selector and the acceptor of one further port. */
    private static final int PORT_THREADS = 2;

    private final JobgateConfig config;
    private final Mounts mounts = new Mounts();
    private final ServletContextHandler servlets;
    private final Server server;
    private final List<ServerConnector> connectors;
    private final TurnGate gate;
    private final LoadLimits load;
    private final RequestRecorder recorder;
    private final HttpgDelegations delegations;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * What a request meets.
     *
     * @param signIn absent where nobody can sign in by a browser
     */
    public record Parts(
            SSLContext tls,
            ChainValidator validator,
            TokenValidator tokens,
            @Nullable SignIn signIn,
            RefusalLog refusals,
            Health health,
            Metrics metrics,
            Clock clock,
            RandomGenerator random) {}

    public HttpService(JobgateConfig config, Parts parts) {
        this.config = requireNonNull(config, "config is null");
        QueuedThreadPool threads = new QueuedThreadPool(PLATFORM_THREADS + PORT_THREADS * furtherPorts(config), 4);
        threads.setName("http");
        Executor requestThreads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("request-", 0).factory());
        threads.setVirtualThreadsExecutor(requestThreads);
        this.server = new Server(threads);
        RefusingErrors errors =
                new RefusingErrors(config.limits().maxHeaderBytes().bytes());
        server.addBean(mounts);
        this.servlets = servlets(errors);
        Handler monitored = new MonitoringHandler(parts.health(), parts.metrics(), config.monitoring(), servlets);
        Handler landing = new LandingPage(config.server().publicName(), mounts, monitored);
        BodyLimit bodies = new BodyLimit(config.limits(), config.clients(), System::nanoTime, landing);
        HeapRoom heap = HeapRoom.ofThisProcess();
        SessionCallers callers = new SessionCallers(parts.validator(), parts.clock());
        CertificateCallers certificates =
                new CertificateCallers(callers, config.credentials().limitedProxies(), parts.clock());
        this.gate = new TurnGate(config.limits(), callers::of, requestThreads, server.getScheduler(), System::nanoTime);
        this.delegations = new HttpgDelegations(certificates, gate);
        Handler inTurn = new TurnHandler(gate, bodies);
        this.load = new LoadLimits(
                config.limits().maxConnections(),
                config.limits().maxConcurrentRequests(),
                heap,
                parts.refusals(),
                new RequestForm(
                        config.limits().maxBodyBytes().bytes(), System::nanoTime, known(parts, certificates, inTurn)));
        SurplusConnections surplus = new SurplusConnections(
                load::connections, config.limits().maxConnections(), server.getScheduler(), parts.refusals());
        HttpMetrics metrics = parts.metrics()
                .http(new HttpMetrics.Load(
                        load::connections,
                        load::requests,
                        gate::waitingRequests,
                        () -> gate.waitingHandshakes() + surplus.waiting(),
                        bodies::inFlight));
        this.recorder = new RequestRecorder(
                metrics, idsOf(parts.random()), System::nanoTime, new SecurityHeaders(new SmallLetterHeaders(load)));
        ClientPace pace =
                new ClientPace(config.clients(), server.getScheduler(), parts.refusals(), System::nanoTime, recorder);
        server.setHandler(new GracefulHandler(pace));
        server.setErrorHandler(errors);
        this.connectors = connectors(
                config,
                new Connectors(
                        config,
                        parts.tls(),
                        metrics,
                        gate,
                        surplus,
                        delegations,
                        List.of(load, pace, new HeapAdmission(heap, parts.refusals()))));
        connectors.forEach(server::addConnector);
        int hardLimit = config.limits().maxConnections() + config.limits().maxConnections() / 8 + 16;
        server.addBean(new NetworkConnectionLimit(hardLimit, connectors.toArray(Connector[]::new)));
    }

    /** Numbers for the ids of requests: they must differ, and need not be secret, which would cost each request a hundred times as much. */
    private static RandomGenerator idsOf(RandomGenerator random) {
        long ofThisStart = random.nextLong();
        return () -> ofThisStart ^ ThreadLocalRandom.current().nextLong();
    }

    /** How many requests are worked on now; those that wait for something else are not. */
    int workingRequests() {
        return gate.workingRequests();
    }

    /** Names who traces requests. */
    public void tracedBy(RequestTrace trace) {
        recorder.tracedBy(trace);
    }

    /** Lets clients of httpg delegate credentials while they connect. Called once, before {@link #start}. */
    public void delegateBy(Access access, Delegations to) {
        delegations.serve(access, to);
    }

    private static int furtherPorts(JobgateConfig config) {
        return config.ports().size() + config.doors().size();
    }

    private Handler known(Parts parts, CertificateCallers callers, Handler next) {
        return new CallerHandler(
                callers,
                new BearerTokens(parts.tokens(), parts.refusals()),
                new SignedInCallers(parts.signIn()),
                new SignInHandler(parts.signIn(), config.server().publicName(), next));
    }

    private List<ServerConnector> connectors(JobgateConfig config, Connectors maker) {
        List<ServerConnector> made = new ArrayList<>();
        made.add(maker.make(server, PortRules.first(config)));
        for (int i = 0; i < config.ports().size(); i++) {
            made.add(maker.make(server, PortRules.further(config, i)));
        }
        config.doors().forEach((door, settings) -> {
            if (config.serves(door) && settings.port() != null) {
                made.add(maker.make(server, PortRules.ofDoor(config, door, settings.port())));
            }
        });
        return List.copyOf(made);
    }

    /**
     * Lets the doors answer at their mounts. Called once, before {@link #start}.
     *
     * @param soap makes the servlets of those that speak SOAP; closed by its owner
     */
    public void mount(List<FrontDoor> doors, SoapServlets soap) {
        mounts.fill(doors, config::bodyBytes, door -> config.door(door).port() != null);
        Map<String, List<SoapMount>> soapRoots = new LinkedHashMap<>();
        for (FrontDoor door : doors) {
            for (Mount mount : door.mounts()) {
                switch (mount) {
                    case SoapMount services ->
                        soapRoots
                                .computeIfAbsent(services.root(), root -> new ArrayList<>())
                                .add(services);
                    case ServletMount servlet ->
                        servlets.addServlet(
                                new ServletHolder(servlet.root(), servlet.servlet()), servlet.root() + "/*");
                    default ->
                        throw new IllegalStateException(
                                "the door " + door.name() + " has a mount of a kind that is not known: " + mount);
                }
            }
        }
        soapRoots.forEach((root, services) -> servlets.addServlet(soap.servlet(services), root + "/*"));
    }

    private static ServletContextHandler servlets(RefusingErrors errors) {
        ServletContextHandler context = new ServletContextHandler("/");
        context.setErrorHandler(errors);
        // a path without a door must not reach the default servlet, which echoes TRACE and allows OPTIONS
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

    /** The port at which clients reach the door of this name: its own, else the first. */
    public int port(String door) {
        return connectors.stream()
                .filter(connector ->
                        door.equals(connector.getBean(PortRules.class).door()))
                .findFirst()
                .orElseGet(connectors::getFirst)
                .getLocalPort();
    }

    /** All ports that are listened on: the first, those of {@code ports} in their order, those of single doors. */
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
