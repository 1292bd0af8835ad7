// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which lease of a {@link GridFtpPool} gets a session next. A lease waits until there is room at the server, and then for an idle
 * session or for permission to open one, as {@link Openings} says. It opens and closes nothing itself: it answers what the pool has to
 * close, which takes long and is done without the lock. For any number of threads.
 */
final class LeaseQueue {

    /** What a lease that finds no idle session waits for before it may open one. */
    enum Wait {
        /** Only for room at the server. */
        FOR_ROOM,
        /** For its turn among those that are being opened. */
        FOR_TURN,
        /** For a session that is in use, as long as {@link Openings} says. */
        FOR_USED
    }

    private final GridFtpPool.Limits limits;
    private final Duration waitForUsed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final IdleSessions idle;
    private final Map<ServerAddress, Integer> leased = new HashMap<>();
    private final Map<SessionKey, Openings> openings = new HashMap<>();

    /** The sessions that are in use and may be used again, with the name of the credential that each was opened with. */
    private final Map<GridFtpSession, String> inUse = new HashMap<>();

    private boolean closed;

    /** @param waitForUsed how long a lease waits for a session that is in use or being opened, counted from when the last opening ended */
    LeaseQueue(GridFtpPool.Limits limits, Duration waitForUsed) {
        this.limits = limits;
        this.waitForUsed = waitForUsed;
        this.idle = new IdleSessions(limits.maxIdle());
    }

    /**
     * Waits for an idle session or for permission to open one. Each call that returns is followed by one of {@link #release} or
     * {@link #giveBack}; with permission to open one, by {@link #openingEnded} before that.
     *
     * @param best which idle session is wanted most; null: none at all, for the credential is nearly over
     * @param begun when the lease came, as {@link System#nanoTime} has it
     * @return null: permission to open one
     * @throws GridFtpException if there is no room at the server for too long, or the queue is closed
     */
    IdleSessions.@Nullable Idle admit(SessionKey key, @Nullable Predicate<GridFtpSession> best, long begun, Wait wait)
            throws GridFtpException {
        lock.lock();
        Openings pace = openings.computeIfAbsent(key, none -> new Openings(begun));
        pace.waits(System.nanoTime());
        try {
            while (true) {
                long now = System.nanoTime();
                boolean isFull = leased.getOrDefault(key.server(), 0) >= limits.maxLeased();
                if (closed || (isFull && now - begun >= limits.leaseTimeout().toNanos())) {
                    throw refusal(key.server());
                }
                IdleSessions.Idle found = best == null || isFull ? null : idle.take(key, best);
                long due = isFull
                        ? begun + limits.leaseTimeout().toNanos() - now
                        : opensIn(pace, best == null ? Wait.FOR_ROOM : wait, begun, now);
                if (found != null || (!isFull && due <= 0)) {
                    admitted(key, pace, found == null);
                    return found;
                }
                var unused = changed.awaitNanos(due);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw GridFtpException.of(Fault.TIMEOUT, key.server(), "lease", "interrupted", e);
        } finally {
            pace.waitsNoMore(System.nanoTime());
            openings.computeIfPresent(key, (same, some) -> some.isOver() ? null : some);
            lock.unlock();
        }
    }

    /** Whether such a session is idle. */
    boolean isIdle(SessionKey key, Predicate<GridFtpSession> which) {
        lock.lock();
        try {
            return idle.has(key, which);
        } finally {
            lock.unlock();
        }
    }

    private void admitted(SessionKey key, Openings pace, boolean opens) {
        leased.merge(key.server(), 1, Integer::sum);
        if (opens) {
            pace.begun();
        } else {
            pace.lent(System.nanoTime());
        }
    }

    /** In how many nanoseconds a lease that finds nothing idle may open one, if nothing comes back before; 0 or less: now. */
    private long opensIn(Openings pace, Wait wait, long begun, long now) {
        long patience = Math.min(
                waitForUsed.toNanos() - pace.sinceLastEnd(begun, now),
                limits.leaseTimeout().toNanos() - (now - begun));
        return switch (wait) {
            case FOR_ROOM -> 0;
            case FOR_TURN -> pace.hasTurn() ? 0 : patience;
            case FOR_USED -> Math.min(patience, pace.dueIn(begun, now));
        };
    }

    private GridFtpException refusal(ServerAddress server) {
        String why = closed
                ? "the pool is closed"
                : limits.maxLeased() + " sessions are in use (maxLeased) and none came back within "
                        + limits.leaseTimeout().toSeconds() + " s";
        return GridFtpException.of(Fault.BUSY, server, "lease", why);
    }

    /**
     * An opening that was permitted has come to its end.
     *
     * @param took how long; null if it failed
     */
    void openingEnded(SessionKey key, @Nullable Duration took) {
        lock.lock();
        try {
            requireNonNull(openings.get(key), "the opening is not known").ended(took, System.nanoTime());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A lease has this session now.
     *
     * @param credential the name of the one that it was opened with, for {@link #forget}
     */
    void lent(GridFtpSession session, String credential) {
        lock.lock();
        try {
            inUse.put(session, credential);
        } finally {
            lock.unlock();
        }
    }

    /** A lease that was admitted is over, and nothing comes back: others may have its place. */
    void release(SessionKey key) {
        lock.lock();
        try {
            leased.computeIfPresent(key.server(), (same, count) -> count > 1 ? count - 1 : null);
            openings.computeIfPresent(key, (same, pace) -> {
                pace.back();
                return pace.isOver() ? null : pace;
            });
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A lease is over, and its session comes back.
     *
     * @param isGood whether another lease can use it
     * @return what the pool has to close: this one, or those that are too many or too old now
     */
    List<GridFtpSession> giveBack(IdleSessions.Idle back, boolean isGood) {
        lock.lock();
        try {
            // one that is not there was forgotten while it was in use
            boolean isKept = inUse.remove(back.session()) != null && !closed && isGood;
            if (!isKept) {
                return List.of(back.session());
            }
            idle.add(back);
            return idle.takeOutOld(back.since().minus(limits.idleLifetime()));
        } finally {
            lock.unlock();
            release(back.key());
        }
    }

    /**
     * Takes out the idle sessions of these credentials; those in use are not kept when they come back.
     *
     * @return what the pool has to close
     */
    List<GridFtpSession> forget(Predicate<String> names) {
        lock.lock();
        try {
            inUse.values().removeIf(names);
            return idle.takeOut(each -> names.test(each.security().name()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes out the idle sessions that nobody can use any more.
     *
     * @param now for how long a session may be idle is counted from here
     * @param least a credential that ends before then, or then, is of no use
     * @return what the pool has to close
     */
    List<GridFtpSession> takeOutUseless(Instant now, Instant least) {
        lock.lock();
        try {
            List<GridFtpSession> useless =
                    idle.takeOut(each -> !each.security().expires().isAfter(least));
            useless.addAll(idle.takeOutOld(now.minus(limits.idleLifetime())));
            return useless;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Refuses all leases that wait or come from now on; what is in use is not kept when it comes back.
     *
     * @return what the pool has to close
     */
    List<GridFtpSession> close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            return idle.takeOut(each -> true);
        } finally {
            lock.unlock();
        }
    }
}
