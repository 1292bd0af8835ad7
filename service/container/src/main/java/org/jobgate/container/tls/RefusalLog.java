// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each refusal once in a while, not at every try: a client with an expired proxy in a loop must not fill the disk.
 */
public final class RefusalLog {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final int MAX_REMEMBERED = 1000;
    private static final long QUIET_NANOS = Duration.ofMinutes(10).toNanos();

    private final LongSupplier nanoTime;
    private final Map<String, Long> loggedAt = new LinkedHashMap<>();

    public RefusalLog(LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    /**
     * Logs that something of the peer was refused, unless the same was logged in the last ten minutes; answers whether it did.
     *
     * @param what e.g. {@code certificate}
     * @param reason must hold no secret
     */
    public boolean refused(String what, String peer, String reason) {
        if (!isDue(what + "\n" + peer + "\n" + reason)) {
            return false;
        }
        LOG.warn("Refused the {} of {}: {}. (Told once in ten minutes.)", what, peer, reason);
        return true;
    }

    private synchronized boolean isDue(String key) {
        long now = nanoTime.getAsLong();
        Long before = loggedAt.get(key);
        if (before != null && now - before < QUIET_NANOS) {
            return false;
        }
        loggedAt.remove(key);
        if (loggedAt.size() >= MAX_REMEMBERED) {
            loggedAt.remove(loggedAt.keySet().iterator().next());
        }
        loggedAt.put(key, now);
        return true;
    }
}
