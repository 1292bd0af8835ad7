// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps sessions for the next user of the same server and the same credential: a new one costs a TLS handshake and a delegation, some
 * hundred times what a small file does. For any number of threads.
 *
 * <p>A session that hung up while it was idle is noticed when it is leased, and another one taken. One that is too old, or whose
 * credential is over, is closed within a quarter of {@link Limits#idleLifetime} (at least a second); {@link #forget} closes those of a
 * credential at once.
 *
 * <p>For one server and credential sessions are opened as {@link Openings} says, two at a time. Of many leases that come at once the
 * others wait for what comes first: a session that another has done with, or their turn to open one. So many small files go over few
 * sessions. Where three seconds have passed since the last opening ended, who waits has one opened all the same, as a server may be stuck.
 */
public final class GridFtpPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GridFtpPool.class);
    private static final Duration MARGIN = Duration.ofMinutes(1);

    /** How long a lease waits for a session that is in use or being opened: some ten times what an opening takes at a server at rest. */
    private static final Duration WAIT_FOR_USED = Duration.ofSeconds(3);

    private final GridFtpSettings settings;
    private final Limits limits;
    private final Duration waitForUsed;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition returned = lock.newCondition();
    private final IdleSessions idle;
    private final Map<ServerAddress, Integer> leased = new HashMap<>();
    private final Map<Key, Openings> openings = new HashMap<>();
    private final Set<Lease> inUse = new HashSet<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("gridftp-idle").factory());
    private boolean closed;

    /**
     * How much is kept.
     *
     * @param maxLeased sessions in use at one server; who wants more waits for one, at most {@code leaseTimeout}; default 32
     * @param maxIdle sessions that are kept in total; the oldest goes; default 64
     * @param idleLifetime how long a session is kept; less than servers do (globus-gridftp-server: 10 min); default 2 min
     * @param leaseTimeout default 60 s
     */
    public record Limits(int maxLeased, int maxIdle, Duration idleLifetime, Duration leaseTimeout) {

        /** The defaults. */
        public static final Limits DEFAULTS = new Limits(32, 64, Duration.ofMinutes(2), Duration.ofSeconds(60));

        /** Checks that all are positive. */
        public Limits {
            if (maxLeased < 1 || maxIdle < 1 || idleLifetime.isNegative() || leaseTimeout.isNegative()) {
                throw new IllegalArgumentException("limits below 1, or negative times: " + maxLeased + ", " + maxIdle
                        + ", " + idleLifetime + ", " + leaseTimeout);
            }
        }
    }

    /**
     * @param credential its first certificate: two credentials of the same user are different connections
     * @param subject that the server was found to have; null: its host's name. One does not stand for the other
     */
    record Key(
            ServerAddress server,
            X509Certificate credential,
            Delegation delegation,
            @Nullable SubjectName subject) {
        static Key of(ServerAddress server, GsiSecurity security) {
            return new Key(server, security.credential().getCertificate(), security.delegation(), security.server());
        }
    }

    /** @param session one that was idle; null: it is this one's turn to have one opened */
    private record Turn(
            Key key, GsiSecurity security, @Nullable GridFtpSession session) {}

    /** What a lease that finds nothing idle waits for before it has a session opened. */
    private enum Wait {
        /** Only for room at the server. */
        FOR_ROOM,
        /** For its turn among those that are being opened. */
        FOR_TURN,
        /** For one that is in use, as long as {@link Openings} says. */
        FOR_USED
    }

    /** An empty pool. */
    public GridFtpPool(GridFtpSettings settings, Limits limits, Clock clock) {
        this(settings, limits, WAIT_FOR_USED, clock);
    }

    GridFtpPool(GridFtpSettings settings, Limits limits, Duration waitForUsed, Clock clock) {
        this.waitForUsed = waitForUsed;
        this.settings = requireNonNull(settings, "settings is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.idle = new IdleSessions(limits.maxIdle());
        long millis = Math.max(1_000, limits.idleLifetime().toMillis() / 4);
        var unused = timer.scheduleWithFixedDelay(this::sweepInItsTime, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** A session for one user at a time, to be closed: it then goes back, if it is still good. */
    public final class Lease implements AutoCloseable {

        private final Key key;
        private final GridFtpSession session;
        private final GsiSecurity security;
        private final boolean fresh;
        private boolean done;

        private Lease(Key key, GridFtpSession session, GsiSecurity security, boolean fresh) {
            this.key = key;
            this.session = session;
            this.security = security;
            this.fresh = fresh;
        }

        /** What was leased. */
        public GridFtpSession session() {
            return session;
        }

        /** Whether it was made for this lease. */
        public boolean isFresh() {
            return fresh;
        }

        @Override
        public void close() {
            if (!done) {
                done = true;
                takeBack(this);
            }
        }
    }

    /**
     * A session at the server with this credential, one that is idle or a new one. Waits for its turn where others are being opened.
     *
     * @throws GridFtpException if none can be opened, or {@link Limits#maxLeased} are in use for too long
     */
    public Lease lease(ServerAddress server, GsiSecurity security) throws GridFtpException {
        return lease(server, security, session -> !session.keepsOwn());
    }

    /** As {@link #lease}, to send a file from here: one over which the last one went, if there is one, for its data connection is open. */
    public Lease leaseToSend(ServerAddress server, GsiSecurity security) throws GridFtpException {
        return lease(server, security, session -> session.keepsOwn(GridFtpSession.Direction.SEND));
    }

    /** As {@link #lease}, to fetch files to here in extended block mode: one over which the last one came, if there is one. */
    public Lease leaseToFetch(ServerAddress server, GsiSecurity security) throws GridFtpException {
        return lease(server, security, session -> session.keepsOwn(GridFtpSession.Direction.FETCH));
    }

    /**
     * Sessions at both ends of a third-party transfer.
     *
     * @param sender of the server that has the file
     * @param receiver of the server that gets it
     */
    public record Pair(Lease sender, Lease receiver) implements AutoCloseable {
        @Override
        public void close() {
            receiver.close();
            sender.close();
        }
    }

    /**
     * Sessions at two servers with this credential. Of the idle ones at the receiver it prefers the one to which the data connections of
     * the sender are still open: with several transfers at once any other would have them made, and authenticated, anew. Where a sender has
     * to be opened, its receiver is leased meanwhile: a server makes a key for each new session.
     *
     * @throws GridFtpException as {@link #lease}, of the sender if both fail
     */
    public Pair leasePair(ServerAddress from, ServerAddress to, GsiSecurity security) throws GridFtpException {
        return leasePair(from, security, to, security);
    }

    /**
     * As {@link #leasePair(ServerAddress, ServerAddress, GsiSecurity)}, where the servers are known in different ways.
     *
     * @param sending for the sender
     * @param receiving for the receiver, with the same credential
     */
    public Pair leasePair(ServerAddress from, GsiSecurity sending, ServerAddress to, GsiSecurity receiving)
            throws GridFtpException {
        Turn turn = turn(from, sending, session -> !session.keepsOwn(), Wait.FOR_USED);
        if (turn.session() == null) {
            return openPair(turn, to, receiving);
        }
        Lease sender = leased(turn);
        boolean kept = false;
        try {
            DataConnections open = sender.session().kept();
            Wait waits = forReceiver(from, to, Wait.FOR_USED);
            Lease receiver = leased(turn(to, receiving, session -> open != null && open.leadTo(session.kept()), waits));
            kept = true;
            return new Pair(sender, receiver);
        } finally {
            if (!kept) {
                sender.close();
            }
        }
    }

    private Pair openPair(Turn from, ServerAddress to, GsiSecurity security) throws GridFtpException {
        Wait waits = forReceiver(from.key().server(), to, Wait.FOR_TURN);
        FutureTask<Lease> receiving =
                new FutureTask<>(() -> leased(turn(to, security, session -> !session.keepsOwn(), waits)));
        Thread opener = Thread.ofVirtual().name("gridftp-receiver").start(receiving);
        Lease sender = null;
        Lease receiver = null;
        try {
            sender = leased(from);
            receiver = result(receiving, to);
            return new Pair(sender, receiver);
        } finally {
            if (sender != null && receiver == null) {
                sender.close();
            }
            if (receiver == null) {
                opener.interrupt();
                Thread.ofVirtual().name("gridftp-giveback").start(() -> giveBack(receiving));
            }
        }
    }

    /**
     * One at the same server is paced by its sender: it would wait for that very one, and senders could have all the room and no receiver
     * any.
     */
    private static Wait forReceiver(ServerAddress from, ServerAddress to, Wait elsewhere) {
        return to.equals(from) ? Wait.FOR_ROOM : elsewhere;
    }

    private static Lease result(FutureTask<Lease> opening, ServerAddress server) throws GridFtpException {
        try {
            return opening.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw GridFtpException.of(Fault.TIMEOUT, server, "lease", "interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GridFtpException why) {
                throw why;
            }
            throw new IllegalStateException("the session at " + server + " could not be opened", e.getCause());
        }
    }

    /** Nobody needs it any more, if there is one. */
    private static void giveBack(FutureTask<Lease> opening) {
        try {
            opening.get().close();
        } catch (ExecutionException e) {
            LOG.debug("the other end was not opened either", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean lasts(GsiSecurity security) {
        return security.expires().isAfter(clock.instant().plus(MARGIN));
    }

    private Lease lease(ServerAddress server, GsiSecurity security, Predicate<GridFtpSession> best)
            throws GridFtpException {
        return leased(turn(server, security, best, Wait.FOR_USED));
    }

    private Lease leased(Turn turn) throws GridFtpException {
        GridFtpSession session = turn.session();
        return session == null ? opened(turn) : inUse(new Lease(turn.key(), session, turn.security(), false));
    }

    private Lease opened(Turn turn) throws GridFtpException {
        Key key = turn.key();
        Lease lease = null;
        long begun = System.nanoTime();
        try {
            GridFtpSession session = GridFtpSession.open(key.server(), turn.security(), settings, clock);
            lease = inUse(new Lease(key, session, turn.security(), true));
            return lease;
        } finally {
            doneOpening(key, lease == null ? null : Duration.ofNanos(System.nanoTime() - begun));
            if (lease == null) {
                release(key);
            }
        }
    }

    private Lease inUse(Lease lease) {
        lock.lock();
        try {
            inUse.add(lease);
        } finally {
            lock.unlock();
        }
        return lease;
    }

    /** @param took null if it failed */
    private void doneOpening(Key key, @Nullable Duration took) {
        lock.lock();
        try {
            requireNonNull(openings.get(key), "the opening is not known").ended(took, System.nanoTime());
            returned.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** An idle session that still answers, or leave to open one. */
    private Turn turn(ServerAddress server, GsiSecurity security, Predicate<GridFtpSession> best, Wait waits)
            throws GridFtpException {
        Key key = Key.of(server, security);
        long begun = System.nanoTime();
        while (true) {
            boolean lasts = lasts(security);
            IdleSessions.Idle found = admit(key, lasts ? best : null, begun, waits);
            if (found == null) {
                return new Turn(key, security, null);
            }
            boolean isGood = false;
            try {
                boolean young = clock.instant().isBefore(found.since().plus(limits.idleLifetime()));
                isGood = young && found.session().control().isQuiet();
                if (isGood) {
                    return new Turn(key, security, found.session());
                }
            } finally {
                if (!isGood) {
                    release(key);
                    found.session().close();
                }
            }
        }
    }

    /**
     * Waits for room at the server, and then for an idle session, or for the turn to open one.
     *
     * @param best which idle session is wanted most; null: none at all, for the credential is nearly over
     */
    private IdleSessions.@Nullable Idle admit(Key key, @Nullable Predicate<GridFtpSession> best, long begun, Wait wait)
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
                var unused = returned.awaitNanos(due);
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

    private void admitted(Key key, Openings pace, boolean opens) {
        leased.merge(key.server(), 1, Integer::sum);
        if (opens) {
            pace.begun();
        } else {
            pace.lent(System.nanoTime());
        }
    }

    /** In how many nanoseconds a lease that finds nothing idle has one opened, if nothing comes back; not above 0: now. */
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

    private void release(Key key) {
        lock.lock();
        try {
            leased.computeIfPresent(key.server(), (same, count) -> count > 1 ? count - 1 : null);
            openings.computeIfPresent(key, (same, pace) -> {
                pace.back();
                return pace.isOver() ? null : pace;
            });
            returned.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void takeBack(Lease lease) {
        List<GridFtpSession> surplus = new ArrayList<>();
        lock.lock();
        try {
            // one that is not there was forgotten while it was in use
            boolean isKept = inUse.remove(lease) && !closed && lease.session.isUsable() && lasts(lease.security);
            if (isKept) {
                idle.add(new IdleSessions.Idle(lease.key, lease.session, lease.security, clock.instant()));
                surplus.addAll(takeOutOld());
            } else {
                surplus.add(lease.session);
            }
        } finally {
            lock.unlock();
            release(lease.key);
        }
        surplus.forEach(GridFtpSession::close);
    }

    /**
     * Closes the idle sessions of these credentials; those in use are closed when they come back. A session that is being opened at this
     * moment is kept as any other.
     *
     * @param names which {@link GsiSecurity#name names} of credentials
     */
    public void forget(Predicate<String> names) {
        List<GridFtpSession> surplus;
        lock.lock();
        try {
            surplus = idle.takeOut(each -> names.test(each.security().name()));
            inUse.removeIf(lease -> names.test(lease.security.name()));
        } finally {
            lock.unlock();
        }
        surplus.forEach(GridFtpSession::close);
    }

    /** Closes what is idle and too old, or can be of no use because its credential is over. */
    void sweep() {
        Instant least = clock.instant().plus(MARGIN);
        List<GridFtpSession> surplus;
        lock.lock();
        try {
            surplus = idle.takeOut(each -> !each.security().expires().isAfter(least));
            surplus.addAll(takeOutOld());
        } finally {
            lock.unlock();
        }
        surplus.forEach(GridFtpSession::close);
    }

    /** One that fails is repeated; it must not end the ones after it. */
    private void sweepInItsTime() {
        try {
            sweep();
        } catch (RuntimeException e) {
            LOG.error("Could not close idle GridFTP sessions; it is tried again", e);
        }
    }

    /** After each file; chains of certificates are read in the sweep only. */
    private List<GridFtpSession> takeOutOld() {
        return idle.takeOutOld(clock.instant().minus(limits.idleLifetime()));
    }

    /** Closes what is idle; what is leased is closed when it comes back. */
    @Override
    public void close() {
        timer.shutdownNow();
        List<GridFtpSession> all;
        lock.lock();
        try {
            closed = true;
            all = idle.takeOut(each -> true);
            returned.signalAll();
        } finally {
            lock.unlock();
        }
        all.forEach(GridFtpSession::close);
    }
}
