// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.server;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** Chooses one of several file servers. All of them are alive and show the file. */
@FunctionalInterface
public interface ServerChoice {

    /**
     * The one to be taken.
     *
     * @param servers at least one, in the order of the configuration
     */
    ServerState choose(List<ServerState> servers);

    /** One after the other. */
    static ServerChoice roundRobin() {
        AtomicInteger next = new AtomicInteger();
        return servers -> servers.get(Math.floorMod(next.getAndIncrement(), servers.size()));
    }

    static ServerChoice random(RandomGenerator random) {
        return servers -> servers.get(random.nextInt(servers.size()));
    }

    /** The fewest transfers on their way; among those the one that was the fastest, and one that was never measured before it. */
    static ServerChoice leastLoad() {
        Comparator<ServerState> fewest = Comparator.comparingInt(ServerState::active);
        return servers -> servers.stream()
                .min(fewest.thenComparing(
                        Comparator.comparingDouble(ServerChoice::rank).reversed()))
                .orElseThrow();
    }

    private static double rank(ServerState state) {
        return state.bytesPerSecond() == 0 ? Double.MAX_VALUE : state.bytesPerSecond();
    }
}
