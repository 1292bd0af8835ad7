// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which permits the log has told lately. A client that lists or reads files has one decided for each request, thousands a second; the log of
 * accesses names each of these, so the log of decisions need not.
 */
final class ToldPermits {

    private static final int MOST = 4_096;

    private final long patience;
    private final LongSupplier nanoTime;
    private final Map<Told, Long> told = new LinkedHashMap<>(16, 0.75f, false) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Told, Long> eldest) {
            return size() > MOST;
        }
    };

    private record Told(String subject, String method, Decision.Permit permit) {}

    /** @param patience after which the same is told again */
    ToldPermits(Duration patience, LongSupplier nanoTime) {
        this.patience = patience.toNanos();
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
    }

    /** Whether this was not told lately; then it counts as told now. */
    synchronized boolean isNews(String subject, String method, Decision.Permit permit) {
        Told key = new Told(subject, method, permit);
        long now = nanoTime.getAsLong();
        Long before = told.get(key);
        if (before != null && now - before < patience) {
            return false;
        }
        told.remove(key);
        told.put(key, now);
        return true;
    }
}
