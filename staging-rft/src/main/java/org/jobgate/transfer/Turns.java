// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which transfer may begin when. Owners take turns, and the servers of an owner; nothing begins above the limits in all, of its owner
 * and of its servers, or at a server that is left alone.
 */
final class Turns implements AutoCloseable {

    /** Something that waits for its turn. */
    interface Waiting {
        String owner();

        /** The servers that it needs; empty where it stays on this machine. */
        List<String> servers();

        /** Its turn has come; must return at once. */
        void begin();
    }

    private long mostActive;
    private final long mostActivePerOwner;
    private final Servers servers;
    private final ScheduledExecutorService timer;
    private final ReentrantLock lock = new ReentrantLock();

    /** Owners in their order of turn, their servers in theirs. INVARIANT: nothing in it is empty. */
    private final Map<String, Map<List<String>, Deque<Waiting>>> queues = new LinkedHashMap<>();

    private final Map<String, Integer> activeOf = new HashMap<>();
    private int active;
    private int waiting;
    private boolean isClosed;

    Turns(TransferSettings settings, Servers servers, ScheduledExecutorService timer) {
        this.mostActive = settings.atOnce().all().value();
        this.mostActivePerOwner = settings.atOnce().perOwner().value();
        this.servers = servers;
        this.timer = timer;
    }

    void offer(Waiting one) {
        lock.lock();
        try {
            queues.computeIfAbsent(one.owner(), owner -> new LinkedHashMap<>())
                    .computeIfAbsent(one.servers(), names -> new ArrayDeque<>())
                    .add(one);
            waiting++;
            beginWhatMay();
        } finally {
            lock.unlock();
        }
    }

    void allow(int most) {
        lock.lock();
        try {
            mostActive = most;
            beginWhatMay();
        } finally {
            lock.unlock();
        }
    }

    long allowed() {
        lock.lock();
        try {
            return mostActive;
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
            active--;
            activeOf.merge(one.owner(), -1, (a, b) -> a + b == 0 ? null : a + b);
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
                // it was stopped: that says nothing
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
        Waiting next = isClosed ? null : next();
        while (next != null) {
            active++;
            waiting--;
            activeOf.merge(next.owner(), 1, Integer::sum);
            servers.begun(next.servers());
            next.begin();
            next = next();
        }
    }

    private @Nullable Waiting next() {
        if (active >= mostActive) {
            return null;
        }
        for (Iterator<Map.Entry<String, Map<List<String>, Deque<Waiting>>>> owners =
                        queues.entrySet().iterator();
                owners.hasNext(); ) {
            Map.Entry<String, Map<List<String>, Deque<Waiting>>> owner = owners.next();
            Waiting found = activeOf.getOrDefault(owner.getKey(), 0) < mostActivePerOwner ? of(owner.getValue()) : null;
            if (found != null) {
                owners.remove();
                if (!owner.getValue().isEmpty()) {
                    queues.put(owner.getKey(), owner.getValue()); // to the end: the others' turn now
                }
                return found;
            }
        }
        return null;
    }

    private @Nullable Waiting of(Map<List<String>, Deque<Waiting>> queuesOfServers) {
        for (Iterator<Map.Entry<List<String>, Deque<Waiting>>> each =
                        queuesOfServers.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<List<String>, Deque<Waiting>> entry = each.next();
            if (servers.mayBegin(entry.getKey())) {
                Waiting found = entry.getValue().remove();
                each.remove();
                if (!entry.getValue().isEmpty()) {
                    queuesOfServers.put(entry.getKey(), entry.getValue());
                }
                return found;
            }
        }
        return null;
    }

    /** Takes back one that waits; answers whether it did. */
    boolean withdraw(Waiting one) {
        lock.lock();
        try {
            Map<List<String>, Deque<Waiting>> ofOwner = queues.get(one.owner());
            Deque<Waiting> queue = ofOwner == null ? null : ofOwner.get(one.servers());
            if (ofOwner == null || queue == null || !queue.remove(one)) {
                return false;
            }
            waiting--;
            if (queue.isEmpty()) {
                ofOwner.remove(one.servers());
            }
            if (ofOwner.isEmpty()) {
                queues.remove(one.owner());
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    int active() {
        lock.lock();
        try {
            return active;
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting;
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
