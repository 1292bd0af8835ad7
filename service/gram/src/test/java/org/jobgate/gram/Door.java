// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jobgate.access.Access;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.authz.Decision;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorContexts;
import org.jobgate.engine.JobEngine;
import org.jobgate.gt4.JdkConsumerClient;
import org.jobgate.job.JobOrigin;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.language.JobLanguages;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.DeliverySettings;
import org.jobgate.notify.DeliveryStatistics;
import org.jobgate.soap.Answer;
import org.jobgate.soap.SoapServer;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** The door behind a real HTTP server, with jobs that a test controls. Who calls is told by the header {@code Test-Subject}. */
public final class Door implements AutoCloseable {

    /** How all jobs come that come by it. */
    public static final JobOrigin ORIGIN = new JobOrigin("gram", "jdd");

    public static final String ALICE = "/O=H9Test/CN=Alice Tester";
    public static final Instant NOW = Instant.parse("2026-11-20T14:55:55Z");

    private static final Destinations ANYWHERE = Destinations.ofSite(new OwnPorts());

    private final SoapServer server = new SoapServer();
    /** A message that a slow machine takes late must not be sent again. */
    private final JdkConsumerClient consumers = new JdkConsumerClient(ssl(), ANYWHERE, Duration.ofMinutes(1));

    private final Deliveries deliveries;
    public final FakeStore store = new FakeStore();
    public final FakeJobs jobs;
    public final GramDoor door;

    public Door() {
        this(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    public Door(Clock clock) {
        this(clock, DeliverySettings.defaults());
    }

    /** A door whose notifier is not started. */
    public Door(Clock clock, DeliverySettings notifier) {
        this(clock, notifier, null, null);
    }

    /** A door with other settings than the default ones. */
    public Door(UnaryOperator<GramSettings> settings) {
        this(Clock.fixed(NOW, ZoneOffset.UTC), DeliverySettings.defaults(), null, null, settings);
    }

    private Door(
            Clock clock, DeliverySettings notifier, @Nullable JobsBySubject realJobs, @Nullable JobStore realStore) {
        this(clock, notifier, realJobs, realStore, UnaryOperator.identity());
    }

    /** A door before a real engine and its store; those that a test controls stay empty. */
    Door(JobEngine engine, JobStore real) {
        this(Clock.systemUTC(), DeliverySettings.defaults(), engine, real);
    }

    private Door(
            Clock clock,
            DeliverySettings notifier,
            @Nullable JobsBySubject realJobs,
            @Nullable JobStore realStore,
            UnaryOperator<GramSettings> settings) {
        jobs = new FakeJobs(store, clock);
        deliveries = new Deliveries(consumers, new CallbackPolicy(ANYWHERE), notifier, clock);
        CallbackPolicy callbacks = new CallbackPolicy(ANYWHERE);
        DoorContext context = DoorContexts.at(server.url())
                .access(new Access(identity -> identity.subject().contains("Mallory")
                        ? new Decision.Deny("no line of the grid-mapfile names the subject")
                        : new Decision.Permit(List.of("alice", "shared"))))
                .jobs(realJobs == null ? jobs : realJobs)
                .store(realStore == null ? store : realStore)
                .deliveries(deliveries, callbacks)
                .clock(clock)
                .make();
        door = new GramDoor(
                settings.apply(GramSettings.defaults("/opt/jobgate")),
                context,
                account -> name -> Optional.ofNullable(name.equals("GLOBUS_USER_HOME") ? "/home/" + account : null),
                new JobLanguages(List.of(new WorkLanguage())));
        server.publish(door.mounts());
    }

    private static SSLContext ssl() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public String baseUrl() {
        return server.baseUrl();
    }

    /** Posts an envelope as Alice. */
    public Answer post(String service, String envelope) {
        return post(service, envelope, SoapServer.SUBJECT, ALICE);
    }

    /** Posts an envelope with these HTTP headers. */
    public Answer post(String service, String envelope, String... headers) {
        return server.post(
                service,
                envelope,
                Stream.concat(Stream.of("SOAPAction", "\"something\""), Stream.of(headers))
                        .toArray(String[]::new));
    }

    public Answer get(String pathAndQuery) {
        return server.get(pathAndQuery);
    }

    /** What came of messages to clients. */
    public DeliveryStatistics deliveries() {
        return deliveries.statistics();
    }

    /** Begins to tell clients about their jobs. */
    public void start() {
        deliveries.start();
        door.start();
    }

    @Override
    public void close() {
        door.close();
        deliveries.close();
        server.close();
        consumers.close();
    }
}
