// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jobgate.adapter.WireValue.Fields;
import org.jobgate.lrm.JobSideText;
import org.jobgate.lrm.LrmListener;
import org.jobgate.lrm.LrmUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place of one account: its worker, if one runs, and the watch on its jobs. A worker that dies is started again, at once the first
 * time and later and later as it goes on dying; while that waits, calls fail with the reason.
 */
final class WorkerSupervisor implements Worker.Owner {

    private static final Logger log = LoggerFactory.getLogger(WorkerSupervisor.class);

    static final Duration FIRST_BACK_OFF = Duration.ofMillis(250);
    static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(2);

    /** A worker that lived for less did not really start. */
    private static final Duration SHORT_LIFE = Duration.ofSeconds(2);

    /** Between two looks whether workers that were left behind have gone. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private static final int NONCE_BYTES = 16;
    private static final int POLLS_OF_PATIENCE = 6;

    private final String account;
    private final LrmSettings settings;
    private final WorkerCommand command;
    private final LeftWorkers left;
    private final Checkpoints checkpoints;
    private final Clock clock;
    private final SecureRandom random;
    private final ScheduledExecutorService scheduler;

    /** Held while a worker is started; never waited for on a worker's own thread before its requests have failed. */
    private final ReentrantLock starting = new ReentrantLock();

    private volatile @Nullable Worker worker;
    private volatile @Nullable Watch watch;
    private volatile @Nullable LrmListener listener;
    private volatile String trouble = "";
    private volatile Duration pollInterval;
    private final Pulse pulse;
    private final Consumer<Duration> onLag;
    private volatile boolean isClosed;
    private final AtomicBoolean isResuming = new AtomicBoolean();
    private Instant startedAt = Instant.MIN;
    private Instant notBefore = Instant.MIN;
    private int shortLives;

    WorkerSupervisor(
            String account,
            LrmSettings settings,
            WorkerCommand command,
            LeftWorkers left,
            Checkpoints checkpoints,
            Clock clock,
            SecureRandom random,
            ScheduledExecutorService scheduler,
            Consumer<Duration> onLag) {
        this.account = requireNonNull(account, "account is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.command = requireNonNull(command, "command is null");
        this.left = requireNonNull(left, "left is null");
        this.checkpoints = requireNonNull(checkpoints, "checkpoints is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
        this.scheduler = requireNonNull(scheduler, "scheduler is null");
        this.onLag = requireNonNull(onLag, "onLag is null");
        this.pollInterval = settings.throttle().pollInterval();
        this.pulse = new Pulse(account, clock);
    }

    /** What is wrong; empty where nothing is. */
    String trouble() {
        String known = trouble;
        return known.isEmpty() ? left.refusal(account).orElseGet(() -> pulse.trouble(patience())) : known;
    }

    /** For how long neither the worker nor its watch may be silent: longer than the longest call should take. */
    private Duration patience() {
        Duration polls = pollInterval.multipliedBy(POLLS_OF_PATIENCE);
        Duration call = settings.requestTimeout().dividedBy(2);
        return polls.compareTo(call) > 0 ? polls : call;
    }

    @Nullable
    Duration pollAge() {
        return pulse.pollAge();
    }

    /** Asks the worker how it is, if there is one that has jobs to watch. */
    void probe() {
        Worker current = worker;
        if (current == null || !current.isAlive()) {
            pulse.rest();
        } else if (!starting.isLocked()) {
            pulse.ask(current, settings.requestTimeout());
        }
    }

    /** Another interval, for this worker and those to come. */
    void pollEvery(Duration interval) {
        pollInterval = interval;
        Worker current = worker;
        if (current != null) {
            var unused = current.request(
                            "set", Map.of("settings", Map.of("poll_interval", interval.toMillis() / 1000.0)))
                    .exceptionally(failure -> {
                        log.warn(
                                "account {} polls at its old interval until its worker is new: {}",
                                account,
                                failure.getMessage());
                        return new Fields(Map.of());
                    });
        }
    }

    Duration lag() {
        Watch current = watch;
        return current == null ? Duration.ZERO : current.lag();
    }

    /** Tells the listener of the account's jobs from now on. */
    void watch(LrmListener newListener) {
        listener = newListener;
        later(Duration.ZERO);
    }

    /** Asks the worker, starting one if there is none, and waits for its answer. */
    Fields ask(String operation, Map<String, ?> fields) throws LrmUnavailableException {
        Worker current = connect();
        return await(current, operation, fields);
    }

    private Fields await(Worker current, String operation, Map<String, ?> fields) throws LrmUnavailableException {
        try {
            return current.request(operation, fields)
                    .get(settings.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            String why = e.getCause() == null ? null : e.getCause().getMessage();
            throw new LrmUnavailableException(why == null ? "the worker of account " + account + " failed" : why, e);
        } catch (TimeoutException e) {
            String why = "did not answer within " + settings.requestTimeout().toSeconds() + " s";
            current.giveUp(why);
            throw new LrmUnavailableException("the worker of account " + account + " " + why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LrmUnavailableException("interrupted while waiting for the worker of account " + account, e);
        }
    }

    /** The worker, which is started if there is none. */
    private Worker connect() throws LrmUnavailableException {
        Worker current = worker;
        if (current != null && current.isAlive() && !starting.isLocked()) {
            return current;
        }
        starting.lock();
        try {
            current = worker;
            return current != null && current.isAlive() ? current : start();
        } finally {
            starting.unlock();
        }
    }

    private Worker start() throws LrmUnavailableException {
        Instant now = clock.instant();
        if (isClosed) {
            throw new LrmUnavailableException("the LRM " + settings.name() + " is closed");
        }
        if (now.isBefore(notBefore)) {
            throw new LrmUnavailableException(trouble + " (tried again in "
                    + Math.max(1, Duration.between(now, notBefore).toSeconds()) + " s)");
        }
        Optional<String> tooMany = left.refusal(account);
        if (tooMany.isPresent()) {
            trouble = tooMany.get();
            notBefore = now.plus(PAUSE);
            throw new LrmUnavailableException(trouble);
        }
        startedAt = now;
        Worker fresh = spawn();
        worker = fresh;
        try {
            greet(fresh);
        } catch (LrmUnavailableException e) {
            // said here, not by its end: the caller may ask for our health next
            worker = null;
            failed(String.valueOf(e.getMessage()));
            fresh.giveUp("could not begin");
            throw e;
        }
        trouble = "";
        return fresh;
    }

    private Worker spawn() throws LrmUnavailableException {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        String nonce = HexFormat.of().formatHex(bytes);
        try {
            return Worker.start(account, command.of(account, nonce), nonce, left, this);
        } catch (IOException e) {
            failed("the worker of account " + account + " could not be started: " + e.getMessage());
            throw new LrmUnavailableException(trouble, e);
        }
    }

    private void greet(Worker fresh) throws LrmUnavailableException {
        Map<String, Object> own = new LinkedHashMap<>(settings.options());
        own.putIfAbsent("poll_interval", pollInterval.toMillis() / 1000.0);
        own.put("lrm_name", settings.name());
        own.put("spool", settings.spool().path());
        String former = settings.spool().former();
        if (former == null) {
            own.remove("former_spool");
        } else {
            own.put("former_spool", former);
        }
        own.put("max_running", settings.maxRunning());
        own.put("grace_ms", settings.grace().toMillis());
        own.put("idle_ms", settings.idleEnd().toMillis());
        // the adapter's patience with its LRM ends before ours with it, so that its sentence is heard
        own.put("call_seconds", settings.requestTimeout().toMillis() * 0.8 / 1000);
        await(
                fresh,
                "hello",
                Map.of(
                        "adapter", settings.adapter(),
                        "idle", String.valueOf(settings.idleEnd().toMillis() / 1000.0),
                        "settings", own));
        LrmListener told = listener;
        if (told != null) {
            follow(fresh, told);
        }
    }

    private void follow(Worker current, LrmListener told) throws LrmUnavailableException {
        Map<String, Object> from = new LinkedHashMap<>();
        from.put("checkpoint", checkpoints.of(account));
        watch = new Watch(settings.name(), account, current, told, checkpoints, clock, onLag);
        await(current, "follow", from);
    }

    /** Sees to it that a worker runs and follows, now or after a time; tried again for as long as it fails. */
    private void later(Duration delay) {
        if (isClosed || !isResuming.compareAndSet(false, true)) {
            return;
        }
        try {
            var unused = scheduler.schedule(
                    () -> Thread.ofVirtual().start(this::keepWatching), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("the watch on account {} is not resumed: the LRM is closing", account);
        }
    }

    private void keepWatching() {
        isResuming.set(false);
        try {
            followWith(connect());
        } catch (LrmUnavailableException e) {
            log.warn(
                    "the jobs of account {} in {} cannot be watched at present: {}",
                    account,
                    settings.name(),
                    e.getMessage());
            later(untilNextTry());
        }
    }

    private void followWith(Worker current) throws LrmUnavailableException {
        starting.lock();
        try {
            LrmListener told = listener;
            Watch now = watch;
            if (told != null && (now == null || !now.isOf(current))) {
                follow(current, told);
            }
        } finally {
            starting.unlock();
        }
    }

    private Duration untilNextTry() {
        Duration wait = Duration.between(clock.instant(), notBefore);
        return wait.isNegative() ? FIRST_BACK_OFF : wait.plusMillis(1);
    }

    @Override
    public void events(Worker from, Fields frame) {
        Watch current = watch;
        if (current != null && current.isOf(from)) {
            current.take(frame);
        }
        String why = frame.text("trouble", "");
        trouble = why.isBlank() ? "" : JobSideText.sentence(account, why);
    }

    @Override
    public void idle(Worker from) {
        // while one is started it is not idle; it will say so again
        if (!starting.tryLock()) {
            return;
        }
        try {
            if (worker == from && !from.hasOpenRequests()) {
                worker = null;
                from.close();
            }
        } finally {
            starting.unlock();
        }
    }

    @Override
    public void ended(Worker from, String why) {
        starting.lock();
        try {
            if (worker != from) {
                return; // it was sent away
            }
            worker = null;
            failed(why);
        } finally {
            starting.unlock();
        }
        log.warn("{}", why);
        if (listener != null) {
            later(untilNextTry());
        }
    }

    private void failed(String why) {
        trouble = why;
        Instant now = clock.instant();
        boolean wasShort = startedAt.plus(SHORT_LIFE).isAfter(now);
        shortLives = wasShort ? Math.min(shortLives + 1, 20) : 0;
        notBefore = shortLives == 0 ? now : now.plus(backOff(shortLives));
    }

    static Duration backOff(int failures) {
        Duration wait = FIRST_BACK_OFF.multipliedBy(1L << Math.min(failures - 1, 16));
        return wait.compareTo(LONGEST_BACK_OFF) > 0 ? LONGEST_BACK_OFF : wait;
    }

    /** Lets the worker go. Its jobs live on in the LRM. */
    CompletableFuture<Void> close() {
        isClosed = true;
        Worker current = worker;
        Watch now = watch;
        worker = null;
        if (current != null) {
            current.close();
        }
        return now == null ? CompletableFuture.completedFuture(null) : now.close();
    }
}
