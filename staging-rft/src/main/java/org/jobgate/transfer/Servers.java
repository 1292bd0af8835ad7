// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the servers do. One that failed several times in a row is left alone for a while, longer each time; then one transfer tries it,
 * and when that is well the others follow. So a failing server delays only what needs it, and costs those no attempts. Its owner
 * guards it with a lock.
 */
final class Servers {

    private static final Logger LOG = LoggerFactory.getLogger(Servers.class);

    private static final class Server {
        int active;
        int failures;
        long closedUntilNanos;
        boolean isClosed;
    }

    private final long mostActive;
    private final int failuresToPause;
    private final Pauses pauses;
    private final LongSupplier nanoTime;

    /** Those with something active, or that failed last. */
    private final Map<String, Server> servers = new HashMap<>();

    Servers(long mostActive, int failuresToPause, Pauses pauses, LongSupplier nanoTime) {
        this.mostActive = mostActive;
        this.failuresToPause = failuresToPause;
        this.pauses = requireNonNull(pauses, "pauses is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    boolean mayBegin(Collection<String> names) {
        return names.stream().allMatch(this::mayBegin);
    }

    private boolean mayBegin(String name) {
        Server server = servers.get(name);
        if (server == null) {
            return true;
        }
        if (server.isClosed) {
            return server.active == 0 && nanoTime.getAsLong() - server.closedUntilNanos >= 0;
        }
        return server.active < mostActive;
    }

    long most() {
        return mostActive;
    }

    /** Those at which as many are active as may be. */
    List<String> full(Collection<String> names) {
        return names.stream().filter(this::isFull).toList();
    }

    private boolean isFull(String name) {
        Server server = servers.get(name);
        return server != null && !server.isClosed && server.active >= mostActive;
    }

    /** Whether none of them is left alone now. */
    boolean isOpen(Collection<String> names) {
        return names.stream().map(servers::get).noneMatch(server -> server != null && server.isClosed);
    }

    void begun(Collection<String> names) {
        names.forEach(name -> servers.computeIfAbsent(name, key -> new Server()).active++);
    }

    void ended(Collection<String> names) {
        for (String name : names) {
            Server server = servers.get(name);
            if (server != null) {
                server.active--;
                if (server.active == 0 && server.failures == 0) {
                    servers.remove(name);
                }
            }
        }
    }

    /** It did what was asked, or refused it in good health. */
    void answered(Collection<String> names) {
        for (String name : names) {
            Server server = servers.get(name);
            if (server != null) {
                if (server.isClosed) {
                    LOG.info("The file server {} works again", name);
                }
                server.failures = 0;
                server.isClosed = false;
            }
        }
    }

    /** It failed; answers for how long it is left alone now, if it is. */
    OptionalLong failed(Collection<String> names) {
        long longest = -1;
        for (String name : names) {
            Server server = servers.computeIfAbsent(name, key -> new Server());
            server.failures++;
            if (server.failures >= failuresToPause) {
                Duration pause = pauses.after(server.failures - failuresToPause + 1);
                server.closedUntilNanos = nanoTime.getAsLong() + pause.toNanos();
                server.isClosed = true;
                longest = Math.max(longest, pause.toMillis());
                LOG.warn(
                        "The file server {} failed {} times in a row; nothing is asked of it for {}",
                        name,
                        server.failures,
                        pause);
            }
        }
        return longest < 0 ? OptionalLong.empty() : OptionalLong.of(longest);
    }
}
