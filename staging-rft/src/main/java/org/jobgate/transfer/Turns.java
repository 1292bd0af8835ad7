// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Which transfer may begin when. Those that stay on this machine have places of their own, and never wait for a network. In each kind owners
 * take turns, and the servers of an owner; nothing begins above the limits of its kind, of its owner and of its servers, or at a server that
 * is left alone. Who has more than an equal part of the places gives back while others wait ({@link FairShares}).
 */
final class Turns implements AutoCloseable {

    /** Something that waits for its turn. */
    interface Waiting {
        String owner();

        /** The servers that it needs; empty where it stays on this machine. */
        List<String> servers();

        /** It is this waiter's turn; must return at once. */
        void begin();

        /** Its place is wanted by others: it must be {@link #done} soon, and may be offered again. Must return at once. */
        void giveBack();

        /** Bytes that it has moved in each second since it began. */
        double rate(long nowNanos);
    }

    private final Lane network;
    private final Lane local;
    private final long mostLocal;
    private final Servers servers;
    private final FairShares shares;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean isClosed;

    Turns(TransferSettings settings, Servers servers, ScheduledExecutorService timer, LongSupplier nanoTime) {
        TransferSettings.AtOnce atOnce = settings.atOnce();
        this.mostLocal = atOnce.local().value();
        this.network = new Lane(atOnce.all().value(), atOnce.perOwner().value());
        this.local = new Lane(mostLocal, atOnce.perOwner().value());
        this.servers = servers;
        this.shares = new FairShares(servers, atOnce.kept());
        this.timer = timer;
        this.nanoTime = nanoTime;
    }

    private Lane lane(Waiting one) {
        return one.servers().isEmpty() ? local : network;
    }

    void offer(Waiting one) {
        lock.lock();
        try {
            lane(one).add(one);
            beginWhatMay();
        } finally {
            lock.unlock();
        }
    }

    /** So many at once over networks, and not more of those that stay on this machine. */
    void allow(int most) {
        lock.lock();
        try {
            network.allow(most);
            local.allow(Math.min(most, mostLocal));
            beginWhatMay();
        } finally {
            lock.unlock();
        }
    }

    long allowed() {
        lock.lock();
        try {
            return network.allowed();
        } finally {
            lock.unlock();
        }
    }

    /** Has places given back that are owed to others. To be called now and then. */
    void settle() {
        lock.lock();
        try {
            if (!isClosed) {
                shares.settle(network, nanoTime.getAsLong());
                shares.settle(local, nanoTime.getAsLong());
            }
        } finally {
            lock.unlock();
        }
    }

    /** How a server did, as one transfer saw it. */
    enum Health {
        GOOD,
        FAILING,
        UNKNOWN
    }

    /** One that had begun is over. */
    void done(Waiting one, Health health) {
        lock.lock();
        try {
            lane(one).ended(one);
            shares.ended(one);
            tell(one.servers(), health);
            servers.ended(one.servers());
            beginWhatMay();
        } finally {
            lock.unlock();
        }
    }

    private void tell(Collection<String> names, Health health) {
        switch (health) {
            case GOOD -> servers.answered(names);
            case FAILING -> {
                OptionalLong pause = servers.failed(names);
                pause.ifPresent(this::lookAgainAfter);
            }
            case UNKNOWN -> {
                // the transfer was stopped, which tells nothing about the server
            }
        }
    }

    private void lookAgainAfter(long millis) {
        if (!isClosed) {
            var unused = timer.schedule(this::look, millis + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        lock.lock();
        try {
            beginWhatMay();
        } finally {
            lock.unlock();
        }
    }

    private void beginWhatMay() {
        beginWhatMay(local);
        beginWhatMay(network);
    }

    private void beginWhatMay(Lane lane) {
        Waiting next = isClosed ? null : lane.next(servers::mayBegin, nanoTime.getAsLong());
        while (next != null) {
            servers.begun(next.servers());
            next.begin();
            next = lane.next(servers::mayBegin, nanoTime.getAsLong());
        }
    }

    /** Takes back one that waits; answers whether it did. */
    boolean withdraw(Waiting one) {
        lock.lock();
        try {
            return lane(one).remove(one);
        } finally {
            lock.unlock();
        }
    }

    int active() {
        lock.lock();
        try {
            return network.active() + local.active();
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return network.waiting() + local.waiting();
        } finally {
            lock.unlock();
        }
    }

    /** Begins nothing more, and waits until what has begun is over; answers whether it is. */
    boolean drain(Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            isClosed = true;
        } finally {
            lock.unlock();
        }
        long end = System.nanoTime() + timeout.toNanos();
        while (active() > 0 && System.nanoTime() - end < 0) {
            Thread.sleep(20);
        }
        return active() == 0;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
        } finally {
            lock.unlock();
        }
    }
}
