// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jobgate.container.admin.ServiceControl;
import org.jobgate.container.backup.RestoreMark;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.door.FrontDoor;
import org.jobgate.gram.service.AccountHomes;
import org.jobgate.gram.service.PasswdHomes;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of the service. The start: take the state directory, make the parts, take up the jobs, open the admin socket, listen. The
 * end, by whatever it was asked for: answer those who wait, take no new requests, finish those that run, finish the batches in hand, close the
 * store, let go of the state directory. Jobs in the LRM are not touched by either.
 */
final class JobgateService implements ServiceControl, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JobgateService.class);

    private final JobgateConfig config;
    private final StateDirectory state;
    private final Instant startedAt;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private volatile boolean running;
    private volatile @Nullable Wiring parts;
    private volatile @Nullable RestoreMark mark;

    JobgateService(JobgateConfig config, StateDirectory state, Instant startedAt) {
        this.config = requireNonNull(config, "config is null");
        this.state = requireNonNull(state, "state is null");
        this.startedAt = requireNonNull(startedAt, "startedAt is null");
    }

    /** Starts everything; when it returns, requests are taken. On failure everything that was started is closed again. */
    void start(Path home) {
        start(home, new PasswdHomes());
    }

    /** The same with home directories of accounts that the host does not know. */
    void start(Path home, AccountHomes homes) {
        try {
            Wiring made = new Wiring(config, state, home, homes, this);
            parts = made;
            made.admin.start();
            RestoreMark restored = made.mark;
            mark = restored;
            if (restored != null) {
                LOG.info(
                        "The store was restored from a backup of {}; see jobgate restore --report{}",
                        restored.takenAt(),
                        restored.stage() == RestoreMark.Stage.RESUMED
                                ? ""
                                : ". No new jobs are taken until you say jobgate resume");
            }
            made.takeUpJobs();
            made.http.start();
            running = true;
            LOG.info("{} live jobs taken up.", made.engine.liveJobs());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    String url() {
        Wiring made = parts;
        return made == null ? "" : made.url;
    }

    /** The names of the front doors that are served. */
    List<String> doors() {
        return requireNonNull(parts).doors.stream().map(FrontDoor::name).toList();
    }

    /** The port at which clients reach this front door. */
    int port(String door) {
        return requireNonNull(parts).http.port(door);
    }

    @Override
    public Status status() {
        Wiring made = parts;
        boolean draining = made != null && made.engine.isDraining();
        State now =
                stopping.get() ? State.STOPPING : !running ? State.STARTING : draining ? State.DRAINING : State.RUNNING;
        return new Status(
                now,
                Version.current(),
                ProcessHandle.current().pid(),
                startedAt,
                url(),
                made == null ? 0 : made.engine.liveJobs(),
                made == null ? "" : made.health.report().status().toString());
    }

    @Override
    public void drain() {
        LOG.info("Draining: no new jobs are taken.");
        requireNonNull(parts).engine.drain();
    }

    @Override
    public void resume() {
        RestoreMark restored = mark;
        if (restored != null && restored.stage() != RestoreMark.Stage.RESUMED) {
            try {
                mark = restored.resumed(state.path());
            } catch (IOException e) {
                throw new FaultException(
                        Fault.of(
                                FaultCode.STORE_UNAVAILABLE,
                                "That clients are let in again after the restore cannot be written: " + Reason.of(e)
                                        + ".",
                                "Make the state directory writable, and say it again."),
                        e);
            }
        }
        LOG.info("New jobs are taken again.");
        requireNonNull(parts).engine.resume();
    }

    @Override
    public void stop() {
        // the order came over the admin socket, which the end closes: it must not wait for itself
        Thread.ofPlatform().name("stop").start(this::close);
    }

    /** Waits until the service has stopped. */
    void awaitStopped() throws InterruptedException {
        stopped.await();
    }

    /** Ends the service; a second call waits for the first. */
    @Override
    public void close() {
        if (stopping.compareAndSet(false, true)) {
            try {
                end();
            } finally {
                stopped.countDown();
            }
        }
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        LOG.info("Stopping.");
        Wiring made = parts;
        if (made != null) {
            Duration timeout = config.server().stopTimeout();
            made.engine.drain();
            made.endWaits();
            stopAnswering(made, timeout);
            made.engine.stop(timeout);
            made.close();
        }
        state.close();
        LOG.info("Stopped.");
    }

    /** A request that does not end in time keeps none of what follows from being done. */
    private static void stopAnswering(Wiring made, Duration timeout) {
        try {
            made.http.stop(timeout);
        } catch (RuntimeException e) {
            LOG.warn(
                    "Not all requests ended within server.stopTimeout = {} s; they are cut off. The rest is stopped as always.",
                    timeout.toSeconds(),
                    e);
        }
    }
}
