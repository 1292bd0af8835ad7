// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.PriorityQueue;
import org.jobgate.limits.Limit;

/**
 * What has been seen already, for as long as it would pass the check of its time. Full, it refuses what is new rather than forget what
 * is old: else an attacker who fills it could replay.
 */
final class ReplayCache {

    private final Limit limit;
    private final Map<String, Instant> seen = new HashMap<>();
    private final PriorityQueue<Entry> byEnd = new PriorityQueue<>();

    private record Entry(Instant until, String key) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return until.compareTo(other.until);
        }
    }

    ReplayCache(Limit limit) {
        this.limit = limit;
    }

    /**
     * Remembers this until then; answers whether it is new.
     *
     * @throws org.jobgate.job.FaultException of code {@code LIMIT_EXCEEDED}
     */
    synchronized boolean isNew(String what, Instant now, Instant until) {
        for (Entry oldest = byEnd.peek(); oldest != null && !oldest.until().isAfter(now); oldest = byEnd.peek()) {
            byEnd.remove();
            seen.remove(oldest.key());
        }
        String key = digest(what);
        if (seen.containsKey(key)) {
            return false;
        }
        limit.check(seen.size() + 1L, "messages remembered against replays");
        seen.put(key, until);
        byEnd.add(new Entry(until, key));
        return true;
    }

    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
