// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jobgate.container.config.LimitsConfig;
import org.jobgate.container.tls.Caller;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets connections that have something to read be read in turn, so that a crowd of one user or from one address holds up nobody else: while
 * a handshake lasts, those of different addresses take turns for {@code limits.maxHandshakes} places; after it, those of different owners
 * for {@code limits.maxWorking}. The bytes of those that wait stay with the system, so that waiting costs no memory; there are no more of
 * them than connections. Before its handshake a connection is made ready, one at a time, in turn between addresses too.
 *
 * <p>A place is taken for what one reading brings: a step of the handshake, or a request from its bytes to its answer. What is read
 * without a place of its own (a request in the last step of a handshake, or one that came with the one before) waits for one before it is
 * handled, by {@link TurnHandler}.
 *
 * <p>The virtual machine runs virtual threads by queues that it does not serve evenly: while as many as there are carriers always have work,
 * others can wait for ever. So there must be more carriers ({@code jdk.virtualThreadScheduler.parallelism} in jvm.options) than places.
 */
final class TurnGate implements SslHandshakeListener {

    private static final Logger LOG = LoggerFactory.getLogger(TurnGate.class);

    /** A request that has had a place for so long, and only waits for something else, loses it to others. */
    private static final Duration LEASE = Duration.ofMillis(100);

    private static final long LOOK_MILLIS = 50;

    /** So many requests of one owner that have been read may wait: each holds its memory. */
    private static final int MOST_BEGUN = 256;

    /**
     * Places for requests where the configuration says nothing: as many as keep the processors busy while some wait for a worker of an account. Who
     * waits for the store's disk has given the place back ({@link WaitingRequest}). Each more would only be a thread that the system runs in
     * turn with those of other owners and those that serve all connections.
     */
    private static final int PLACES_PER_PROCESSOR = 4;

    private static final int FEWEST_PLACES = 8;

    /** More would want more carriers. */
    private static final int MOST_PLACES = 48;

    private static final int MOST_HANDSHAKES = 8;

    /**
     * While requests wait, a handshake's place stays empty for so many times as long as its last step took, so that handshakes take a quarter of
     * their processors: one costs as much as ten requests, and clients that come again and again would else take what the others wait for.
     */
    private static final int PAUSE_FACTOR = 3;

    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private static final ThreadLocal<@Nullable Run> CURRENT = new ThreadLocal<>();

    private final Turns ready;
    private final Turns handshakes;
    private final Turns requests;
    private final int mostBegun;
    private final Callers callers;
    private final Executor executor;
    private final Scheduler scheduler;
    private final AtomicBoolean isLooking = new AtomicBoolean();

    /**
     * All places free.
     *
     * @param executor runs what has a place, each on a thread of its own
     */
    TurnGate(LimitsConfig limits, Callers callers, Executor executor, Scheduler scheduler, LongSupplier nanoTime) {
        this(
                new Turns(
                        places(limits.maxWorking(), Runtime.getRuntime().availableProcessors()), true, LEASE, nanoTime),
                new Turns(
                        handshakes(limits.maxHandshakes(), Runtime.getRuntime().availableProcessors()),
                        false,
                        LEASE,
                        nanoTime),
                MOST_BEGUN,
                callers,
                executor,
                scheduler);
    }

    TurnGate(Turns requests, Turns handshakes, int mostBegun, Callers callers, Executor executor, Scheduler scheduler) {
        this.ready = new Turns(1, false, LEASE, System::nanoTime);
        this.requests = requireNonNull(requests, "requests is null");
        this.handshakes = requireNonNull(handshakes, "handshakes is null");
        this.mostBegun = mostBegun;
        this.callers = requireNonNull(callers, "callers is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.scheduler = requireNonNull(scheduler, "scheduler is null");
        // however it comes that somebody waits: else those who only wait for their clients would keep their places
        requests.whenSomebodyWaits(this::lookSoon);
        handshakes.whenSomebodyWaits(this::lookSoon);
    }

    static int places(int configured, int processors) {
        return configured > 0
                ? configured
                : Math.clamp((long) PLACES_PER_PROCESSOR * processors, FEWEST_PLACES, MOST_PLACES);
    }

    /** Half of the processors: the others are for requests meanwhile. No more than there are carriers for, beside those of requests. */
    static int handshakes(int configured, int processors) {
        return configured > 0 ? configured : Math.clamp((long) processors / 2, 1, MOST_HANDSHAKES);
    }

    /** How many connections wait for their turn with a handshake, or to be made ready for it. */
    int waitingHandshakes() {
        return ready.waiting() + handshakes.waiting();
    }

    /** How many requests are worked on at once. */
    int places() {
        return requests.places();
    }

    /** How many requests are worked on now. */
    int workingRequests() {
        return requests.working();
    }

    /** How many requests wait for their turn. */
    int waitingRequests() {
        return requests.waiting();
    }

    /** So many requests of one owner may wait after they were read. */
    int mostBegun() {
        return mostBegun;
    }

    /** What a connection is counted for until it is known whose it is: its address, or the network in which an IPv6 host picks its own. */
    static String addressKey(@Nullable SocketAddress remote) {
        InetAddress address = remote instanceof InetSocketAddress internet ? internet.getAddress() : null;
        if (address instanceof Inet6Address) {
            return "address " + HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), 8));
        }
        return "address " + (address == null ? "unknown" : address.getHostAddress());
    }

    /** What a connection is counted for when it is known whose it is. */
    static String ownerKey(String subject) {
        return "owner " + subject;
    }

    @Override
    public void handshakeSucceeded(Event event) {
        TurnEndPoint endPoint = TurnEndPoint.of(event.getEndPoint());
        if (endPoint != null) {
            endPoint.ownedBy(ownerOf(event.getSSLEngine().getSession(), endPoint));
        }
    }

    private String ownerOf(SSLSession session, TurnEndPoint endPoint) {
        try {
            Certificate[] shown = session.getPeerCertificates();
            X509Certificate[] chain = Arrays.copyOf(shown, shown.length, X509Certificate[].class);
            return ownerKey(callers.of(session, chain).identity().subject());
        } catch (SSLPeerUnverifiedException | CertificateException unknown) {
            // an anonymous caller, or one whose requests will be refused: counted for the address of the connection
            LOG.debug("no owner of the connection of {}: {}", endPoint.owner(), unknown.getMessage());
            return endPoint.owner();
        }
    }

    /**
     * Makes a connection ready for its handshake when it is the turn of its address.
     *
     * @param making begins it, on a thread of its own; the place must be given back when it is done
     */
    void makeReady(String address, Consumer<Turns.Turn> making) {
        var unused = ready.enter(
                address,
                turn -> executor.execute(() -> {
                    try {
                        making.accept(turn);
                    } catch (RuntimeException e) {
                        turn.end();
                        throw e;
                    }
                }));
    }

    /**
     * Reads a connection when it is its turn.
     *
     * @param reading does it; it is run by a thread of its own
     */
    Turns.Turn enter(TurnEndPoint endPoint, Runnable reading) {
        Turns turns = endPoint.isKnown() ? requests : handshakes;
        return turns.enter(
                endPoint.owner(), turn -> executor.execute(() -> new Run(turns, turn).read(endPoint, reading)));
    }

    /**
     * Sees that the request which the current thread is about to handle has a place.
     *
     * @return null if too many of this owner wait for one
     */
    @Nullable
    Run forRequest(String owner) throws InterruptedException {
        Run run = CURRENT.get();
        if (run == null) {
            Turns.Turn turn = await(owner);
            return turn == null ? null : new Run(requests, turn);
        }
        if (run.isFor(owner)) {
            return run;
        }
        // the place of a handshake, of another owner, or of the request before: others may come between
        run.turn.end();
        Turns.Turn turn = await(owner);
        if (turn == null) {
            return null;
        }
        run.turns = requests;
        run.turn = turn;
        run.isUsed = true;
        return run;
    }

    private Turns.@Nullable Turn await(String owner) throws InterruptedException {
        return requests.await(owner, mostBegun);
    }

    /** The request of the current thread only waits from now on: somebody else may have its place. */
    static void pause() {
        Run run = CURRENT.get();
        if (run != null) {
            run.turn.pause();
        }
    }

    /** It goes on, when there is a place for it again. */
    static void resume() throws InterruptedException {
        Run run = CURRENT.get();
        if (run != null) {
            run.turns.resume(run.turn);
        }
    }

    /** As {@link #pause}, and when the stage is complete {@link #resume}. Returns at once where the current thread has no place. */
    static void pauseUntil(CompletionStage<?> awaited) throws InterruptedException {
        Run run = CURRENT.get();
        if (run != null) {
            run.turns.pauseUntil(run.turn, awaited);
        }
    }

    private void endHandshake(Turns.Turn turn, long nanos) {
        long pause = requests.waiting() > 0 ? Math.min(PAUSE_FACTOR * nanos, LONGEST_PAUSE_NANOS) : 0;
        if (pause < TimeUnit.MILLISECONDS.toNanos(1)) {
            turn.end();
        } else {
            scheduler.schedule(turn::end, pause, TimeUnit.NANOSECONDS);
        }
    }

    /** While somebody waits for a place, those that have one are looked at. */
    private void lookSoon() {
        if (requests.waiting() + handshakes.waiting() > 0 && isLooking.compareAndSet(false, true)) {
            scheduler.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        try {
            requests.reclaim();
            handshakes.reclaim();
        } finally {
            isLooking.set(false);
        }
        lookSoon();
    }

    /** What one thread does with a place. */
    final class Run {
        private Turns turns;
        private Turns.Turn turn;
        private boolean isUsed;

        private Run(Turns turns, Turns.Turn turn) {
            this.turns = turns;
            this.turn = turn;
        }

        /** Whether the next request of this owner can be handled in the place as it is. */
        private boolean isFor(String owner) {
            boolean isFirst = !isUsed;
            isUsed = true;
            return isFirst && turns == requests && turn.owner().equals(owner);
        }

        private void read(TurnEndPoint endPoint, Runnable reading) {
            turn.workHere();
            CURRENT.set(this);
            long begin = System.nanoTime();
            try {
                reading.run();
            } finally {
                CURRENT.remove();
                endPoint.idle();
                if (turns == handshakes) {
                    endHandshake(turn, System.nanoTime() - begin);
                } else {
                    turn.end();
                }
            }
        }

        /** Handles a request in the place. */
        boolean handle(Handling handling) throws Exception {
            return make(handling::handle);
        }

        /** Does what is due before a connection's first request in the place. */
        <T, E extends Exception> T make(Making<T, E> making) throws E {
            if (CURRENT.get() == this) {
                return making.make();
            }
            CURRENT.set(this);
            try {
                return making.make();
            } finally {
                CURRENT.remove();
                turn.end();
            }
        }
    }

    /** Knows who stands behind a session whose client showed a chain. */
    @FunctionalInterface
    interface Callers {
        Caller of(SSLSession session, X509Certificate[] chain) throws CertificateException;
    }

    /** Something that is made in a place. */
    @FunctionalInterface
    interface Making<T, E extends Exception> {
        T make() throws E;
    }

    /** The rest of what is to be done for a request. */
    @FunctionalInterface
    interface Handling {
        boolean handle() throws Exception;
    }
}
