// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The LRM that a lab's gateway gives its jobs to.
 *
 * @param name as clients name it
 * @param adapter of the gateway
 * @param account whom the user is mapped to
 * @param spool of that account; absent: in the lab's own directory, which only our own account can use
 * @param options of the adapter, each as {@code name=value}
 * @param requestTimeout how long the gateway waits for an answer of a worker before it gives it up
 */
public record LrmChoice(
        String name,
        String adapter,
        String account,
        @Nullable String spool,
        List<String> options,
        Duration requestTimeout) {

    public LrmChoice {
        requireNonNull(name, "name is null");
        requireNonNull(adapter, "adapter is null");
        requireNonNull(account, "account is null");
        options = List.copyOf(options);
        requireNonNull(requestTimeout, "requestTimeout is null");
    }

    /** With the request timeout that the gateway has by default. */
    public LrmChoice(String name, String adapter, String account, @Nullable String spool, List<String> options) {
        this(name, adapter, account, spool, options, Duration.ofMinutes(1));
    }

    /** Processes of this machine, as the account that the harness runs as. */
    public static LrmChoice fork() {
        return new LrmChoice("Fork", "fork", System.getProperty("user.name"), null, List.of());
    }

    /** Its line of the gateway's configuration. */
    String configuration(String ownSpool) {
        String list = options.stream()
                .map(option -> "'" + option.replace("'", "''") + "'")
                .collect(Collectors.joining(", "));
        return "{ name: " + name + ", adapter: " + adapter + ", maxRunning: 1000, idleEnd: 30s, requestTimeout: "
                + requestTimeout.toSeconds() + "s, spool: '" + (spool == null ? ownSpool : spool) + "', options: ["
                + list + "] }";
    }
}
