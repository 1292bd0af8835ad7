// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** What is known of all credentials without opening them: whose they are and when they end. */
final class VaultIndex {

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    /** @param warned whether its coming end has been told */
    record Entry(String owner, String key, SealedRecords.Times times, boolean warned) {

        boolean isShortened() {
            return times.terminates().isBefore(times.expires());
        }

        Entry afterWarning() {
            return new Entry(owner, key, times, true);
        }

        boolean endsBefore(Instant time) {
            return !times.terminates().isAfter(time);
        }
    }

    void put(String owner, String key, SealedRecords.Times times) {
        Entry before = entries.put(SealedRecords.id(owner, key), new Entry(owner, key, times, false));
        if (before == null) {
            counts.computeIfAbsent(owner, name -> new AtomicInteger()).incrementAndGet();
        }
    }

    void warned(Entry entry) {
        entries.replace(SealedRecords.id(entry.owner(), entry.key()), entry, entry.afterWarning());
    }

    void remove(String owner, String key) {
        if (entries.remove(SealedRecords.id(owner, key)) != null) {
            counts.computeIfPresent(owner, (name, count) -> count.decrementAndGet() == 0 ? null : count);
        }
    }

    int size() {
        return entries.size();
    }

    int countOf(String owner) {
        AtomicInteger count = counts.get(owner);
        return count == null ? 0 : count.get();
    }

    List<Entry> matching(Predicate<Entry> wanted) {
        return entries.values().stream().filter(wanted).toList();
    }
}
