// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.Servlet;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jobgate.access.Access;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.authz.Decision;
import org.jobgate.engine.EngineSettings;
import org.jobgate.engine.FakeLrm;
import org.jobgate.engine.JobEngine;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.notify.ConsumerClient;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.DeliverySettings;
import org.jobgate.store.JobStore;
import org.jobgate.store.TestStores;

/**
 * One door before a real engine with a real store, whose one LRM does what a test says. {@link #restart} is the next life of the same
 * service: the store is opened again, and the LRM lived on.
 */
public final class DoorRoom implements AutoCloseable {

    static final String ALICE = "/O=Test/CN=Alice";
    static final String BOB = "/O=Test/CN=Bob";
    static final String MALLORY = "/O=Test/CN=Mallory";

    /** Live jobs of one owner. */
    static final int MOST_JOBS = 4;

    final FakeLrm lrm = new FakeLrm("Fork");
    private final Path directory;
    private final Function<DoorContext, FrontDoor> maker;
    private final Function<Mount, Servlet> servlets;
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final AtomicBoolean dies = new AtomicBoolean();
    private final AtomicReference<Decision> policy = new AtomicReference<>(new Decision.Permit(List.of("account")));
    private JobStore store;
    JobEngine engine;
    private Deliveries deliveries;
    private FrontDoor door;
    private DoorHost host;

    DoorRoom(Path directory, Function<DoorContext, FrontDoor> maker, Function<Mount, Servlet> servlets)
            throws Exception {
        this.directory = directory;
        this.maker = maker;
        this.servlets = servlets;
        begin();
    }

    private void begin() throws Exception {
        store = TestStores.sqlite(directory);
        engine = new JobEngine(
                store,
                List.of(lrm),
                null,
                null,
                JobLimits.defaults().with(new Limit("limits.maxLiveJobsPerOwner", MOST_JOBS)),
                EngineSettings.defaults(),
                Clock.systemUTC(),
                new Random(1),
                Interlude.none());
        engine.start();
        CallbackPolicy callbacks = new CallbackPolicy(Destinations.ofSite(new OwnPorts()));
        deliveries = new Deliveries(consumers(), callbacks, DeliverySettings.defaults(), Clock.systemUTC());
        deliveries.start();
        host = new DoorHost();
        door = maker.apply(DoorContexts.at(host.url())
                .access(new Access(identity -> identity.subject().equals(MALLORY)
                        ? new Decision.Deny("Mallory is banned")
                        : requireNonNull(policy.get())))
                .jobs(mortal(engine))
                .store(store)
                .deliveries(deliveries, callbacks)
                .make());
        host.start(door, servlets);
        door.start();
    }

    /** Between the commit of a submission and its reply the process may be killed: then nothing after the commit happens. */
    private JobsBySubject mortal(JobsBySubject jobs) {
        return (JobsBySubject) java.lang.reflect.Proxy.newProxyInstance(
                JobsBySubject.class.getClassLoader(),
                new Class<?>[] {JobsBySubject.class},
                (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(jobs, arguments);
                        if (method.getName().startsWith("submit") && dies.getAndSet(false)) {
                            throw new IllegalStateException("killed after the commit");
                        }
                        return answer;
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        throw requireNonNull(e.getCause());
                    }
                });
    }

    private ConsumerClient consumers() {
        return new ConsumerClient() {
            @Override
            public void send(URI address, byte[] envelope) {
                messages.add(new String(envelope, StandardCharsets.UTF_8));
            }

            @Override
            public void close() {
                // it holds nothing
            }
        };
    }

    /** Lets the service die when the next submission is on disk, before it is answered. */
    void dieAfterNextSubmission() {
        dies.set(true);
    }

    /** What the policy decides from now on about everybody who is not banned. */
    void decides(Decision decision) {
        policy.set(decision);
    }

    /** Ends this life without asking anybody, and begins the next. */
    void restart() throws Exception {
        end();
        begin();
    }

    /** Where the door is. */
    public String url() {
        return host.url();
    }

    /** All messages that consumers of notifications got, in order. */
    public List<String> messages() {
        return messages;
    }

    private void end() throws Exception {
        door.endWaits();
        engine.endWaits();
        host.close();
        door.close();
        deliveries.close();
        engine.stop(Duration.ofSeconds(5));
        store.close();
    }

    @Override
    public void close() throws Exception {
        end();
    }
}
