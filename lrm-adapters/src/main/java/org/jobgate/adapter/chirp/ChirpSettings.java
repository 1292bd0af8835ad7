// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter.chirp;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jobgate.job.ChirpAccess;
import org.jspecify.annotations.Nullable;

/**
 * What the site says of tickets.
 *
 * @param servers the first is that of jobs that name none; empty: no job gets a ticket
 * @param longest how long one ticket is good at the most
 * @param margin how much longer a ticket is good than the job may run: what the job may wait before it runs, halved
 */
public record ChirpSettings(List<ChirpServer> servers, Duration longest, Duration margin) {

    public ChirpSettings {
        servers = List.copyOf(servers);
        requireNonNull(longest, "longest is null");
        requireNonNull(margin, "margin is null");
        if (margin.compareTo(longest) > 0) {
            throw new IllegalArgumentException("the margin of tickets is longer than the longest of them");
        }
    }

    /** The server that the job asks for, if there is such a one. */
    Optional<ChirpServer> server(ChirpAccess chirp) {
        return servers.stream()
                .filter(server -> chirp.server() == null || chirp.server().equals(server.name()))
                .findFirst();
    }

    /** Whether the site has a server at this address still, and lets jobs of the account have there what this one asks for. */
    boolean lets(String account, ChirpAccess chirp, String address) {
        return servers.stream()
                .filter(server -> server.address().equals(address))
                .anyMatch(server -> chirp.rights().entrySet().stream()
                        .allMatch(right -> right.getValue().contains("w")
                                ? server.letsWrite(account, right.getKey())
                                : server.lets(account, right.getKey())));
    }

    String names() {
        return servers.stream().map(ChirpServer::name).collect(Collectors.joining(", "));
    }

    /** How long a ticket of a job is good that may run for so long; absent where nobody says how long. */
    Duration lifetime(@Nullable Duration wallTime) {
        Duration wanted = wallTime == null ? longest : wallTime.plus(margin);
        return wanted.compareTo(longest) > 0 ? longest : wanted;
    }

    /** With how much left a ticket of this lifetime is replaced by a new one. */
    Duration leastLeft(Duration lifetime, boolean hasBegun) {
        Duration third = lifetime.dividedBy(3);
        Duration waiting = lifetime.minus(margin.dividedBy(2));
        return hasBegun || waiting.compareTo(third) < 0 ? third : waiting;
    }
}
