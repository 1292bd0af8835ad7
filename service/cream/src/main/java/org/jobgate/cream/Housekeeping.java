// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jobgate.access.Caller;
import org.jobgate.access.OwnedKind;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.identity.Identity;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.store.Writes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the door does without being asked: it cancels jobs whose lease is over, at the moment it is, and purges jobs whose time is over. It acts
 * for the owner of each job and asks the site's policy as for the owner.
 */
final class Housekeeping implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration PURGE_EVERY = Duration.ofMinutes(30);
    private static final Duration AGAIN = Duration.ofSeconds(30);
    private static final int PAGE = 500;

    private final DoorContext door;
    private final CreamSettings settings;
    private final Selection selection;
    private final JobBook book;
    private final CommandLog log;
    private final Leases leases;
    private final Sandboxes sandboxes;
    private final ScheduledExecutorService timer = thread("cream-leases");

    /** A thread of its own, as a directory that cannot be removed at once must not delay the end of a lease. */
    private final ScheduledExecutorService purger = thread("cream-purge");

    /** When leases are looked at next, and the work that does it: one at a time, however many leases there are. Guarded by this. */
    private @Nullable Instant next;

    private @Nullable ScheduledFuture<?> waiting;

    Housekeeping(
            DoorContext door,
            CreamSettings settings,
            Selection selection,
            JobBook book,
            CommandLog log,
            Leases leases,
            Sandboxes sandboxes) {
        this.door = requireNonNull(door, "door is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.selection = requireNonNull(selection, "selection is null");
        this.book = requireNonNull(book, "book is null");
        this.log = requireNonNull(log, "log is null");
        this.leases = requireNonNull(leases, "leases is null");
        this.sandboxes = requireNonNull(sandboxes, "sandboxes is null");
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(name).daemon().factory());
    }

    /** Takes up the leases that are kept. Jobs whose lease went away while nobody looked are cancelled first. */
    void start() {
        leases.load(this::endsAt);
        timer.execute(() -> careful(this::cancelOrphans));
        var unused = purger.scheduleWithFixedDelay(
                () -> careful(this::purgeOld), 60, PURGE_EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private synchronized void endsAt(Instant time) {
        if (next != null && !time.isBefore(next)) {
            return;
        }
        if (waiting != null) {
            waiting.cancel(false);
        }
        // a moment later: at the very time the lease still holds
        long delay = Duration.between(door.clock().instant(), time).toMillis() + 5;
        try {
            waiting = timer.schedule(() -> careful(this::cancelPastAndGoOn), Math.max(delay, 0), TimeUnit.MILLISECONDS);
            next = time;
        } catch (RejectedExecutionException e) {
            LOG.debug("The door ends; what was to be done is done after the next start", e);
        }
    }

    private static void careful(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("Leases and old jobs could not be looked at; it is tried again", e);
        }
    }

    private void cancelPastAndGoOn() {
        synchronized (this) {
            next = null;
            waiting = null;
        }
        try {
            cancelPast();
        } finally {
            leases.earliest().ifPresent(this::endsAt);
        }
    }

    /** Cancels the jobs of every lease that is past, and forgets it. */
    private void cancelPast() {
        for (String owner : leases.ownersOfPast()) {
            try {
                cancelUnleased(owner);
                leases.forgetPast(owner);
            } catch (FaultException e) {
                LOG.warn("Jobs of {} whose lease is over could not be cancelled: {}", owner, e.getMessage());
                endsAt(door.clock().instant().plus(AGAIN));
            } catch (RuntimeException e) {
                LOG.error("Jobs of {} whose lease is over could not be cancelled; it is tried again", owner, e);
                endsAt(door.clock().instant().plus(AGAIN));
            }
        }
    }

    /** Cancels the owner's jobs whose lease does not hold; those that were not started have nothing that could run on. */
    void cancelUnleased(String owner) {
        Caller caller = of(owner);
        selection.eachLive(caller, page -> {
            for (Job job : page) {
                book.of(job.id()).filter(kept -> isUnleased(kept, job)).ifPresent(kept -> cancel(caller, kept));
            }
        });
    }

    private boolean isUnleased(CreamJob kept, Job job) {
        return kept.lease() != null
                && job.outcome() == null
                && CreamState.of(job) != CreamState.REGISTERED
                && leases.find(kept.owner(), kept.lease()).isEmpty();
    }

    /** The reason is on disk before the job is cancelled. */
    private void cancel(Caller caller, CreamJob kept) {
        Writes.await(log.add(kept, Command.Name.JOB_CANCEL, FailureTexts.BY_LEASE, null));
        door.jobs().cancel(caller, kept.job());
        LOG.info("The lease {} is over: {} of {} is cancelled", kept.lease(), kept.id(), kept.owner());
    }

    private Caller of(String owner) {
        return door.access().caller(new Identity(owner, DoorAddresses.CREAM, false));
    }

    private void cancelOrphans() {
        forAll(kept -> {
            if (kept.lease() != null && leases.find(kept.owner(), kept.lease()).isEmpty()) {
                Caller caller = of(kept.owner());
                door.jobs()
                        .find(caller, kept.job())
                        .filter(job -> !job.state().isTerminal() && isUnleased(kept, job))
                        .ifPresent(job -> cancel(caller, kept));
            }
        });
        cancelPast();
    }

    /** Purges what was kept as long as the site wants it kept. */
    void purgeOld() {
        Instant now = door.clock().instant();
        Set<String> away = new HashSet<>();
        forAll(kept -> {
            Optional<Job> found = door.changes().job(kept.job(), kept.owner());
            found.filter(job -> isOld(job, now)).ifPresent(job -> purgeOld(job, kept, away));
        });
    }

    /**
     * Purges one job.
     *
     * @param away accounts whose files could not be reached in this round. They are left alone: each try may take as long as a file system
     *     is waited for, and the jobs of everybody else wait meanwhile
     */
    private void purgeOld(Job job, CreamJob kept, Set<String> away) {
        String account = job.owner().account();
        if (away.contains(account)) {
            return;
        }
        try {
            purge(of(kept.owner()), job, kept);
        } catch (FaultException e) {
            if (e.fault().code() == FaultCode.LRM_UNAVAILABLE) {
                away.add(account);
            }
            throw e;
        }
    }

    private boolean isOld(Job job, Instant now) {
        CreamState state = CreamState.of(job);
        Duration keep = settings.keep().get(state.word());
        Instant since = state.isTerminal() && job.ended() != null ? job.ended() : job.created();
        boolean isPurgeable = state.isTerminal() || state == CreamState.REGISTERED;
        return keep != null && isPurgeable && !job.isGone() && since.plus(keep).isBefore(now);
    }

    /**
     * Removes the job's sandbox, and forgets the job.
     *
     * @throws FaultException where the site's policy objects, and where the sandbox cannot be removed; then the job stays
     */
    void purge(Caller caller, Job job, CreamJob kept) {
        caller.manage(OwnedKind.JOBS);
        sandboxes.remove(job.owner().account(), kept);
        door.jobs().destroy(caller, job.id());
        book.forget(job.id());
    }

    private void forAll(Consumer<CreamJob> work) {
        String after = "";
        while (true) {
            List<CreamJob> page = book.page(after, PAGE);
            for (CreamJob kept : page) {
                try {
                    work.accept(kept);
                } catch (FaultException e) {
                    LOG.warn("{} of {} could not be looked after: {}", kept.id(), kept.owner(), e.getMessage());
                } catch (RuntimeException e) {
                    LOG.error("{} of {} could not be looked after; the others are", kept.id(), kept.owner(), e);
                }
            }
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().id();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        purger.shutdownNow();
    }
}
