// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
 * <p>For one server and credential sessions are opened as {@link Openings} says, two at a time. Where many leases come at once, the
 * others wait for what comes first: a session that another lease gives back, or their turn to open one. So many small files go over few
 * sessions. Where three seconds have passed since the last opening ended, a lease that waits opens one all the same: the server may be
 * stuck in the openings before.
 */
public final class GridFtpPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GridFtpPool.class);
    private static final Duration MARGIN = Duration.ofMinutes(1);

    /** How long a lease waits for a session that is in use or being opened: some ten times what an opening takes at a server at rest. */
    private static final Duration WAIT_FOR_USED = Duration.ofSeconds(3);

    private final GridFtpSettings settings;
    private final Limits limits;
    private final Clock clock;
    private final LeaseQueue queue;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("gridftp-idle").factory());

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

    /** @param session one that was idle; null: the lease may open one */
    private record Turn(
            SessionKey key, GsiSecurity security, @Nullable GridFtpSession session) {}

    /** An empty pool. */
    public GridFtpPool(GridFtpSettings settings, Limits limits, Clock clock) {
        this(settings, limits, WAIT_FOR_USED, clock);
    }

    GridFtpPool(GridFtpSettings settings, Limits limits, Duration waitForUsed, Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        this.limits = requireNonNull(limits, "limits is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.queue = new LeaseQueue(limits, waitForUsed);
        long millis = Math.max(1_000, limits.idleLifetime().toMillis() / 4);
        var unused = timer.scheduleWithFixedDelay(this::sweepInItsTime, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** A session for one user at a time, to be closed: it then goes back, if it is still good. */
    public final class Lease implements AutoCloseable {

        private final SessionKey key;
        private final GridFtpSession session;
        private final GsiSecurity security;
        private final boolean fresh;
        private boolean done;

        private Lease(SessionKey key, GridFtpSession session, GsiSecurity security, boolean fresh) {
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
        return lease(server, security, session -> !session.ownData().isLeft());
    }

    /** As {@link #lease}, to send a file from here: one over which the last one went, if there is one, for its data connection is open. */
    public Lease leaseToSend(ServerAddress server, GsiSecurity security) throws GridFtpException {
        return lease(server, security, session -> session.ownData().isLeft(OwnDataConnection.Direction.SEND));
    }

    /** As {@link #lease}, to fetch files to here in extended block mode: one over which the last one came, if there is one. */
    public Lease leaseToFetch(ServerAddress server, GsiSecurity security) throws GridFtpException {
        return lease(server, security, session -> session.ownData().isLeft(OwnDataConnection.Direction.FETCH));
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
     * Sessions at two servers with this credential. Of the idle ones it prefers those between which data connections are still open: with
     * several transfers at once any others would have them made, and authenticated, anew. Where a sender has to be opened, its receiver is
     * leased meanwhile: a server makes a key for each new session. Where a sender is idle and no receiver, one is opened as soon as it has
     * its turn: with fewer receivers than senders each transfer would take the receiver of another one away, for ever.
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
        SessionKey receivers = SessionKey.of(to, receiving);
        Turn turn =
                turn(from, sending, session -> queue.isIdle(receivers, leadsFrom(session)), LeaseQueue.Wait.FOR_USED);
        if (turn.session() == null) {
            return openPair(turn, to, receiving);
        }
        Lease sender = leased(turn);
        boolean kept = false;
        try {
            LeaseQueue.Wait waits = forReceiver(from, to);
            Lease receiver = leased(turn(to, receiving, leadsFrom(sender.session()), waits));
            kept = true;
            return new Pair(sender, receiver);
        } finally {
            if (!kept) {
                sender.close();
            }
        }
    }

    /** Whether the data connections of this sender lead to a session. */
    private static Predicate<GridFtpSession> leadsFrom(GridFtpSession sender) {
        DataConnections open = sender.kept();
        return session -> open != null && open.leadTo(session.kept());
    }

    private Pair openPair(Turn from, ServerAddress to, GsiSecurity security) throws GridFtpException {
        LeaseQueue.Wait waits = forReceiver(from.key().server(), to);
        FutureTask<Lease> receiving = new FutureTask<>(
                () -> leased(turn(to, security, session -> !session.ownData().isLeft(), waits)));
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
     * A receiver at the sender's own server waits for room only: it would otherwise wait for the session of its own sender, and senders
     * could take all the room, so that no receiver ever gets any.
     */
    private static LeaseQueue.Wait forReceiver(ServerAddress from, ServerAddress to) {
        return to.equals(from) ? LeaseQueue.Wait.FOR_ROOM : LeaseQueue.Wait.FOR_TURN;
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

    /** Closes the lease of a receiver, if it comes about, whose sender could not be opened. */
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
        return leased(turn(server, security, best, LeaseQueue.Wait.FOR_USED));
    }

    private Lease leased(Turn turn) throws GridFtpException {
        GridFtpSession session = turn.session();
        return session == null ? opened(turn) : inUse(new Lease(turn.key(), session, turn.security(), false));
    }

    private Lease opened(Turn turn) throws GridFtpException {
        SessionKey key = turn.key();
        Lease lease = null;
        long begun = System.nanoTime();
        try {
            GridFtpSession session = GridFtpSession.open(key.server(), turn.security(), settings, clock);
            lease = inUse(new Lease(key, session, turn.security(), true));
            return lease;
        } finally {
            queue.openingEnded(key, lease == null ? null : Duration.ofNanos(System.nanoTime() - begun));
            if (lease == null) {
                queue.release(key);
            }
        }
    }

    private Lease inUse(Lease lease) {
        queue.lent(lease.session, lease.security.name());
        return lease;
    }

    /** An idle session that still answers, or leave to open one. */
    private Turn turn(ServerAddress server, GsiSecurity security, Predicate<GridFtpSession> best, LeaseQueue.Wait waits)
            throws GridFtpException {
        SessionKey key = SessionKey.of(server, security);
        long begun = System.nanoTime();
        while (true) {
            boolean lasts = lasts(security);
            IdleSessions.Idle found = queue.admit(key, lasts ? best : null, begun, waits);
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
                    queue.release(key);
                    found.session().close();
                }
            }
        }
    }

    private void takeBack(Lease lease) {
        boolean isGood = lease.session.isUsable() && lasts(lease.security);
        IdleSessions.Idle back = new IdleSessions.Idle(lease.key, lease.session, lease.security, clock.instant());
        queue.giveBack(back, isGood).forEach(GridFtpSession::close);
    }

    /**
     * Closes the idle sessions of these credentials; those in use are closed when they come back. A session that is being opened at this
     * moment is kept as any other.
     *
     * @param names which {@link GsiSecurity#name names} of credentials
     */
    public void forget(Predicate<String> names) {
        queue.forget(names).forEach(GridFtpSession::close);
    }

    /** Closes what is idle and too old, or can be of no use because its credential is over. */
    void sweep() {
        Instant now = clock.instant();
        queue.takeOutUseless(now, now.plus(MARGIN)).forEach(GridFtpSession::close);
    }

    /** A sweep that fails must not end those after it. */
    private void sweepInItsTime() {
        try {
            sweep();
        } catch (RuntimeException e) {
            LOG.error("Could not close idle GridFTP sessions; it is tried again", e);
        }
    }

    /** Closes what is idle; what is leased is closed when it comes back. */
    @Override
    public void close() {
        timer.shutdownNow();
        queue.close().forEach(GridFtpSession::close);
    }
}
