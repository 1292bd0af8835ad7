// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.address;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Names that keep the addresses which were checked until somebody has connected. Java's HTTP client looks a name up by itself, so between a
 * check and the connection the name's server, which may be hostile, could answer otherwise.
 *
 * <p>It stands below Java's own cache of names, as what the cache asks ({@link HeldNamesProvider}); the first answer after a name began to
 * be held is the only one until nobody holds it. What the cache still had from before is noticed when it differs.
 */
final class HeldNames {

    private static final HeldNames THIS_PROCESS = new HeldNames(host -> List.of(InetAddress.getAllByName(host)));
    private static final int MAX_LOOKS = 8;

    /** Looks a name up. */
    @FunctionalInterface
    interface Lookup {
        List<InetAddress> addresses(String host) throws UnknownHostException;
    }

    private static final class Name {
        final ReentrantLock lock = new ReentrantLock();
        int holders;

        @Nullable
        List<InetAddress> addresses;
    }

    private final Lookup cache;
    private final Map<String, Name> names = new HashMap<>(); // by the name as it was written: so does Java's cache

    /** @param cache what a client that connects would ask, and which asks {@link #lookUp} for what it does not have */
    HeldNames(Lookup cache) {
        this.cache = requireNonNull(cache, "cache is null");
    }

    /** Those that every look-up of this process heeds. */
    static HeldNames ofThisProcess() {
        return THIS_PROCESS;
    }

    /** What the name has while it is held. */
    record Held(List<InetAddress> addresses, Runnable release) {
        void close() {
            release.run();
        }
    }

    /** Looks a name up, and keeps the answer until it is closed, once. */
    Held hold(String host) throws UnknownHostException {
        Name name = enter(host);
        boolean isHeld = false;
        try {
            List<InetAddress> addresses = agreed(host, name);
            isHeld = true;
            return new Held(addresses, () -> leave(host, name));
        } finally {
            if (!isHeld) {
                leave(host, name);
            }
        }
    }

    /** What the cache has and what is held must be the same; where the cache's is older it ends soon, and the held one takes its place. */
    private List<InetAddress> agreed(String host, Name name) throws UnknownHostException {
        for (int i = 0; i < MAX_LOOKS; i++) {
            List<InetAddress> seen = cache.addresses(host);
            List<InetAddress> kept = keepFirst(name, seen);
            if (Set.copyOf(kept).equals(Set.copyOf(seen))) {
                return kept;
            }
        }
        throw new UnknownHostException(host + " changes its addresses too fast to be checked");
    }

    private static List<InetAddress> keepFirst(Name name, List<InetAddress> seen) {
        name.lock.lock();
        try {
            List<InetAddress> kept = name.addresses == null ? seen : name.addresses;
            name.addresses = kept;
            return kept;
        } finally {
            name.lock.unlock();
        }
    }

    /**
     * Answers for the cache.
     *
     * @param real asks the name's servers
     */
    List<InetAddress> lookUp(String host, Lookup real) throws UnknownHostException {
        Name name = held(host);
        if (name == null) {
            return real.addresses(host);
        }
        name.lock.lock();
        try {
            List<InetAddress> kept = name.addresses;
            if (kept == null) {
                kept = List.copyOf(real.addresses(host));
                name.addresses = kept;
            }
            return kept;
        } finally {
            name.lock.unlock();
        }
    }

    private synchronized @Nullable Name held(String host) {
        return names.get(host);
    }

    private synchronized Name enter(String host) {
        Name name = names.computeIfAbsent(host, key -> new Name());
        name.holders++;
        return name;
    }

    private synchronized void leave(String host, Name name) {
        name.holders--;
        if (name.holders == 0) {
            names.remove(host, name);
        }
    }
}
