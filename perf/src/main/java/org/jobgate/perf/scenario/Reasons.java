// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jobgate.perf.wire.RefusedException;

/** Failures counted by their reason: numbers and names that differ from one to the next are left out of it. Safe for several threads. */
final class Reasons {

    private static final int MAX_REASONS = 50;
    private static final int MAX_LENGTH = 160;

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void add(Exception failure) {
        String reason = reason(failure);
        String kept = counts.size() < MAX_REASONS || counts.containsKey(reason) ? reason : "other reasons";
        counts.computeIfAbsent(kept, ignored -> new LongAdder()).increment();
    }

    /** The same sentence for all failures of one kind. */
    static String reason(Exception failure) {
        String text = failure instanceof RefusedException
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getSimpleName() + ": " + failure.getMessage();
        String plain = text.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "ID")
                .replaceAll("(?<!status )\\b[0-9]+\\b", "N")
                .replaceAll("\\s+", " ");
        return plain.length() <= MAX_LENGTH ? plain : plain.substring(0, MAX_LENGTH) + "...";
    }

    /** How often each came. */
    Map<String, Long> counts() {
        Map<String, Long> sorted = new TreeMap<>();
        counts.forEach((reason, count) -> sorted.put(reason, count.sum()));
        return sorted;
    }

    long total() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }
}
