// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jobgate.transfer.Turns.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * The places of one kind of transfers, and who waits for them. Owners take turns, the owner with the fewest places first, and the servers of
 * an owner take turns. Its owner guards it with a lock.
 */
final class Lane {

    private final long mostOfOwner;
    private long most;

    /** Owners in their order of turn, their servers in theirs. INVARIANT: nothing in it is empty. */
    private final Map<String, Map<List<String>, Deque<Waiting>>> queues = new LinkedHashMap<>();

    /** Those that have begun, and when. */
    private final Map<Waiting, Long> begun = new HashMap<>();

    private final Map<String, Integer> activeOf = new HashMap<>();
    private int waiting;

    Lane(long most, long mostOfOwner) {
        this.most = most;
        this.mostOfOwner = mostOfOwner;
    }

    void allow(long newMost) {
        most = newMost;
    }

    long allowed() {
        return most;
    }

    int active() {
        return begun.size();
    }

    int waiting() {
        return waiting;
    }

    boolean isFull() {
        return begun.size() >= most;
    }

    int activeOf(String owner) {
        return activeOf.getOrDefault(owner, 0);
    }

    /** What each gets at the least while others wait: an equal part of the places, and one. */
    long share() {
        Set<String> owners = new HashSet<>(queues.keySet());
        owners.addAll(activeOf.keySet());
        return Math.max(1, most / Math.max(1, owners.size()));
    }

    void add(Waiting one) {
        queues.computeIfAbsent(one.owner(), owner -> new LinkedHashMap<>())
                .computeIfAbsent(one.servers(), names -> new ArrayDeque<>())
                .add(one);
        waiting++;
    }

    /** Takes back one that waits; answers whether it did. */
    boolean remove(Waiting one) {
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
    }

    /**
     * Takes the next one out that may begin, and counts it as begun.
     *
     * @param mayBegin whether the servers may be used
     */
    @Nullable
    Waiting next(Predicate<List<String>> mayBegin, long nowNanos) {
        if (isFull()) {
            return null;
        }
        String first = null;
        for (Map.Entry<String, Map<List<String>, Deque<Waiting>>> owner : queues.entrySet()) {
            int places = activeOf(owner.getKey());
            if (places < mostOfOwner
                    && (first == null || places < activeOf(first))
                    && owner.getValue().keySet().stream().anyMatch(mayBegin)) {
                first = owner.getKey();
                if (places == 0) {
                    break;
                }
            }
        }
        return first == null ? null : begin(first, mayBegin, nowNanos);
    }

    private @Nullable Waiting begin(String owner, Predicate<List<String>> mayBegin, long nowNanos) {
        Map<List<String>, Deque<Waiting>> ofOwner = queues.remove(owner);
        Waiting found = ofOwner == null ? null : take(ofOwner, mayBegin);
        if (ofOwner != null && !ofOwner.isEmpty()) {
            queues.put(owner, ofOwner); // to the end: the others' turn now
        }
        if (found != null) {
            waiting--;
            begun.put(found, nowNanos);
            activeOf.merge(owner, 1, Integer::sum);
        }
        return found;
    }

    private static @Nullable Waiting take(
            Map<List<String>, Deque<Waiting>> queuesOfServers, Predicate<List<String>> mayBegin) {
        for (Iterator<Map.Entry<List<String>, Deque<Waiting>>> each =
                        queuesOfServers.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<List<String>, Deque<Waiting>> entry = each.next();
            if (mayBegin.test(entry.getKey())) {
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

    void ended(Waiting one) {
        begun.remove(one);
        activeOf.merge(one.owner(), -1, (a, b) -> a + b == 0 ? null : a + b);
    }

    /** What has begun, and when. */
    Map<Waiting, Long> begun() {
        return begun;
    }

    /** The servers that waiting transfers need, by their owners. */
    Map<String, Set<List<String>>> wanted() {
        Map<String, Set<List<String>>> wanted = new LinkedHashMap<>();
        queues.forEach((owner, ofOwner) -> wanted.put(owner, ofOwner.keySet()));
        return wanted;
    }
}
