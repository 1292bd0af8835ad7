// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.TrustDirectory;
import org.jspecify.annotations.Nullable;

/** The daemon: threads that submit, and rounds that look after what was submitted. Whatever it knows is in the queue. */
final class Manager {

    private static final long IDLE_MS = 200;
    private static final int ROUNDS_AT_ONCE = 64;
    private static final int ROUNDS_AT_ONE = 4;
    private static final int RENEWALS_AT_ONCE = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long BROKEN_OFF_MS = 10_000;
    private static final long KEEP_HOUSE_MS = 3_600_000;

    private final QueueFile file;
    private final Settings settings;
    private final TrustDirectory trusted;
    private final Clock clock;
    private final Consumer<String> log;
    private final JobQueue queue;
    private final JobChanges changes;
    private final LiveJobs live;
    private final Outages outages;
    private final Users users;
    private final GrantKeeper grants;
    private final Spool spool;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Set<String> busy = ConcurrentHashMap.newKeySet();
    private final Semaphore rounds = new Semaphore(ROUNDS_AT_ONCE);
    private final Map<String, Semaphore> roundsAt = new ConcurrentHashMap<>();
    private final Semaphore renewals = new Semaphore(RENEWALS_AT_ONCE);

    /**
     * How it works.
     *
     * @param threads that submit
     * @param bulk jobs in one request
     * @param poll between two rounds
     * @param lease of the jobs; zero for none
     * @param renewBefore how long before its end a proxy is renewed
     * @param timeout for each step on the network
     * @param keep how long a job that is over is remembered
     * @param isUntilDone whether it ends when no job is left that is not over
     */
    record Settings(
            int threads,
            int bulk,
            Duration poll,
            Duration lease,
            Duration renewBefore,
            Duration timeout,
            Duration keep,
            boolean isUntilDone) {}

    /** @param renewer asks MyProxy servers; null if proxies are not renewed */
    Manager(
            QueueFile file,
            Settings settings,
            TrustDirectory trusted,
            @Nullable Credential renewer,
            Clock clock,
            Consumer<String> log) {
        this.file = requireNonNull(file, "file is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.trusted = requireNonNull(trusted, "trusted is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.log = requireNonNull(log, "log is null");
        this.queue = new JobQueue(file);
        this.changes = new JobChanges(file);
        this.live = new LiveJobs(file);
        this.outages = new Outages(clock, settings.bulk(), settings.threads());
        this.users = new Users(live, clock, settings.renewBefore(), renewer, trusted, log);
        this.grants = new GrantKeeper(new Grants(file), clock, settings.renewBefore(), settings.lease());
        this.spool = new Spool(file.directory(), queue, new Cancellations(file), clock, log);
    }

    /** Ends {@link #run} as soon as the requests that are under way were answered, and waits for that; not for ever. */
    void end() {
        stop.countDown();
        try {
            boolean unused = ended.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Works until it is stopped, or everything is done. */
    void run() throws CommandException, InterruptedException {
        file.lock();
        queue.free();
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= settings.threads(); i++) {
            threads.add(Thread.ofPlatform().name("submit-" + i).start(this::submit));
        }
        threads.add(Thread.ofPlatform().name("spool").start(this::readSpool));
        threads.add(Thread.ofPlatform().name("house").start(this::keepHouse));
        try {
            lookAfter();
        } finally {
            stop.countDown();
            long end = System.nanoTime() + PATIENCE.toNanos();
            for (Thread thread : threads) {
                thread.join(Duration.ofNanos(Math.max(end - System.nanoTime(), 1)));
            }
            boolean unused =
                    rounds.tryAcquire(ROUNDS_AT_ONCE, Math.max(end - System.nanoTime(), 1), TimeUnit.NANOSECONDS);
            ended.countDown();
        }
    }

    private boolean isStopped(long waitMs) {
        try {
            return stop.await(waitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void submit() {
        try (Contacts contacts = new Contacts(trusted, settings.timeout(), clock)) {
            Submitter submitter = new Submitter(changes, outages, users, grants, contacts, clock, log);
            List<QueuedJob> jobs = List.of();
            while (!isStopped(0)) {
                try {
                    if (!jobs.isEmpty()) {
                        // nobody else would take them up again before the next manager
                        changes.later(jobs, clock.millis() + BROKEN_OFF_MS, "the work on it was broken off", false);
                    }
                    jobs = queue.take(settings.bulk(), clock.millis(), outages);
                    if (!jobs.isEmpty()) {
                        submitter.work(jobs);
                        jobs = List.of();
                    } else if (isStopped(IDLE_MS)) {
                        return;
                    }
                } catch (QueueException e) {
                    log.accept(String.valueOf(e.getMessage()));
                    isStopped(IDLE_MS);
                } finally {
                    outages.left();
                }
            }
        }
    }

    private void readSpool() {
        while (!isStopped(IDLE_MS)) {
            try {
                while (spool.take() > 0 && !isStopped(0)) {
                    // more may lie there
                }
            } catch (QueueException e) {
                log.accept(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Proxies, and what need not be remembered any more. */
    private void keepHouse() {
        long forgotten = 0;
        do {
            try {
                live.owners().forEach(this::renew);
                if (clock.millis() - forgotten > KEEP_HOUSE_MS) {
                    new Overview(file).forget(clock.millis() - settings.keep().toMillis());
                    forgotten = clock.millis();
                }
            } catch (QueueException e) {
                log.accept(String.valueOf(e.getMessage()));
            }
        } while (!isStopped(settings.poll().toMillis()));
    }

    /** A MyProxy server that does not answer keeps the proxies of no other owner waiting. */
    private void renew(String owner) {
        String name = "proxy of " + owner;
        if (busy.add(name)) {
            Thread unused = Thread.ofVirtual().name(name).start(() -> {
                renewals.acquireUninterruptibly();
                try {
                    users.renew(owner);
                } catch (QueueException e) {
                    log.accept(String.valueOf(e.getMessage()));
                } finally {
                    renewals.release();
                    busy.remove(name);
                }
            });
        }
    }

    private void lookAfter() {
        do {
            try {
                for (LiveJobs.Share share : live.shares()) {
                    begin(share);
                }
                if (settings.isUntilDone() && !live.areThere()) {
                    return;
                }
            } catch (QueueException e) {
                log.accept(String.valueOf(e.getMessage()));
            }
        } while (!isStopped(settings.poll().toMillis()));
    }

    /** A computing element that does not answer keeps none of the others waiting. */
    private void begin(LiveJobs.Share share) {
        String name = share.owner() + " " + share.endpoint();
        if (!busy.add(name)) {
            return;
        }
        Semaphore there = roundsAt.computeIfAbsent(share.endpoint(), endpoint -> new Semaphore(ROUNDS_AT_ONE));
        Thread unused = Thread.ofVirtual().name("round " + name).start(() -> {
            there.acquireUninterruptibly();
            rounds.acquireUninterruptibly();
            try (Contacts contacts = new Contacts(trusted, settings.timeout(), clock)) {
                new Poller(changes, live, outages, users, grants, clock, log).round(share, contacts);
            } catch (QueueException e) {
                log.accept(String.valueOf(e.getMessage()));
            } finally {
                rounds.release();
                there.release();
                busy.remove(name);
            }
        });
    }
}
