// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jobgate.transfer.Turns.Waiting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who must give a place back. While an owner waits with less than an equal part of the places, those who have more give back, one at a
 * time, what makes the least progress; it goes on later from where it came. The same holds for the places at one server. Its owner guards it
 * with a lock.
 */
final class FairShares {

    private static final Logger LOG = LoggerFactory.getLogger(FairShares.class);

    private final Servers servers;
    private final long keptNanos;

    /** What was asked to give its place back, by the owner for whom. */
    private final Map<String, Waiting> leaving = new HashMap<>();

    /** @param kept how long a transfer keeps its place in any case */
    FairShares(Servers servers, Duration kept) {
        this.servers = requireNonNull(servers, "servers is null");
        this.keptNanos = kept.toNanos();
    }

    void ended(Waiting one) {
        leaving.values().removeIf(one::equals);
    }

    /** Asks for the places that are owed to those who wait now. */
    void settle(Lane lane, long nowNanos) {
        long share = lane.share();
        lane.wanted().forEach((owner, needs) -> {
            if (!leaving.containsKey(owner) && lane.activeOf(owner) < share) {
                Waiting victim = victim(lane, owner, needs, share, nowNanos);
                if (victim != null) {
                    LOG.info("{} gives its place back for a while: others wait who have less", victim);
                    leaving.put(owner, victim);
                    victim.giveBack();
                }
            }
        });
    }

    private @Nullable Waiting victim(Lane lane, String owner, Set<List<String>> needs, long share, long nowNanos) {
        for (List<String> need : needs) {
            List<String> full = servers.full(need);
            Waiting found = null;
            if (!full.isEmpty()) {
                found = atServer(lane, owner, full.getFirst(), nowNanos);
            } else if (lane.isFull() && servers.isOpen(need)) {
                found = slowest(lane, one -> lane.activeOf(one.owner()) > share, nowNanos);
            }
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Waiting atServer(Lane lane, String owner, String server, long nowNanos) {
        Map<String, Integer> there = new HashMap<>();
        lane.begun().keySet().stream()
                .filter(one -> one.servers().contains(server))
                .forEach(one -> there.merge(one.owner(), 1, Integer::sum));
        Set<String> owners = new HashSet<>(there.keySet());
        lane.wanted().forEach((other, needs) -> {
            if (needs.stream().anyMatch(need -> need.contains(server))) {
                owners.add(other);
            }
        });
        long share = Math.max(1, servers.most() / owners.size());
        return there.getOrDefault(owner, 0) >= share
                ? null
                : slowest(
                        lane,
                        one -> one.servers().contains(server) && there.getOrDefault(one.owner(), 0) > share,
                        nowNanos);
    }

    private @Nullable Waiting slowest(Lane lane, Predicate<Waiting> isBeyondShare, long nowNanos) {
        return lane.begun().entrySet().stream()
                .filter(each -> nowNanos - each.getValue() >= keptNanos)
                .map(Map.Entry::getKey)
                .filter(one -> !leaving.containsValue(one))
                .filter(isBeyondShare)
                .min(Comparator.comparingDouble(one -> one.rate(nowNanos)))
                .orElse(null);
    }
}
