// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jobgate.container.tls.RefusalLog;

/**
 * Holds connections back while as many are open as may be. Each refusal in words costs a whole TLS handshake, as much as ten requests: clients
 * that are refused and come again at once would take the processors from those that are connected. So only a few such connections a second, in
 * turn between addresses, are let on and told the limit; those for which a place becomes free meanwhile are let on and served; the others are
 * closed without a handshake after a short wait, which also keeps them from coming again at once.
 */
final class SurplusConnections {

    /** Between two that are let on while there is no room. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final String REMEDY =
            "closed without an answer while limits.maxConnections are open; a higher limit and a larger heap (-Xmx in jvm.options) would admit more";

    private final IntSupplier open;
    private final int most;
    private final Scheduler scheduler;
    private final RefusalLog refusals;
    private final Duration pause;
    private final Duration longestWait;
    private final Turns turns;

    /** Let on, and not counted as open yet: without them, all that wait would be let on for one place that becomes free. */
    private final AtomicInteger onTheWay = new AtomicInteger();

    /**
     * None waits.
     *
     * @param open how many connections are open
     * @param most so many may be
     */
    SurplusConnections(IntSupplier open, int most, Scheduler scheduler, RefusalLog refusals) {
        this(open, most, scheduler, refusals, PAUSE, LONGEST_WAIT);
    }

    SurplusConnections(
            IntSupplier open,
            int most,
            Scheduler scheduler,
            RefusalLog refusals,
            Duration pause,
            Duration longestWait) {
        this.open = requireNonNull(open, "open is null");
        this.most = most;
        this.scheduler = requireNonNull(scheduler, "scheduler is null");
        this.refusals = requireNonNull(refusals, "refusals is null");
        this.pause = requireNonNull(pause, "pause is null");
        this.longestWait = requireNonNull(longestWait, "longestWait is null");
        this.turns = new Turns(1, false, pause, System::nanoTime);
    }

    /**
     * Admits a connection: at once if there is room and no other waits, else in its turn.
     *
     * @param address what the connection is counted for
     * @param letOn is called once unless {@code close} is; it must return at once, and {@link #arrived} must be called when what it began is done
     * @param close is called once if the connection has waited too long
     */
    void enter(String address, Runnable letOn, Runnable close) {
        if (!isFull() && turns.waiting() == 0) {
            onTheWay.incrementAndGet();
            letOn.run();
            return;
        }
        AtomicBoolean isDecided = new AtomicBoolean();
        Turns.Turn turn = turns.enter(address, place -> {
            // not ended here: each would begin the next one within its own call
            scheduler.schedule(place::end, isFull() ? pause.toMillis() : 0, TimeUnit.MILLISECONDS);
            if (isDecided.compareAndSet(false, true)) {
                onTheWay.incrementAndGet();
                letOn.run();
            }
        });
        if (isDecided.get()) {
            return;
        }
        scheduler.schedule(
                () -> {
                    if (isDecided.compareAndSet(false, true)) {
                        turn.cancel();
                        refusals.refused("connections", "clients", REMEDY);
                        close.run();
                    }
                },
                longestWait.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** A connection that was let on is open, or will never be. */
    void arrived() {
        onTheWay.decrementAndGet();
    }

    private boolean isFull() {
        return open.getAsInt() + onTheWay.get() >= most;
    }

    /** How many wait. */
    int waiting() {
        return turns.waiting();
    }
}
