// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is known of all credentials without opening them: whose they are and when they end. */
final class VaultIndex {

    /** By id, so that those of one owner stand together in the order of their keys. */
    private final ConcurrentNavigableMap<String, Entry> entries = new ConcurrentSkipListMap<>();

    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    /**
     * One credential.
     *
     * @param token whether it is a token
     * @param warned whether its coming end has been told
     */
    record Entry(String owner, String key, boolean token, SealedRecords.Times times, boolean warned) {

        boolean isShortened() {
            return times.terminates().isBefore(times.expires());
        }

        Entry afterWarning() {
            return new Entry(owner, key, token, times, true);
        }

        boolean endsBefore(Instant time) {
            return !times.terminates().isAfter(time);
        }
    }

    void put(String owner, String key, boolean token, SealedRecords.Times times) {
        Entry before = entries.put(SealedRecords.id(owner, key), new Entry(owner, key, token, times, false));
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

    /** Those of one owner, in the order of their keys; after this key where one is given. */
    Stream<Entry> of(String owner, @Nullable String after) {
        String place = SealedRecords.id(owner, after == null ? "" : after);
        return entries.tailMap(place, false).values().stream()
                .takeWhile(entry -> entry.owner().equals(owner));
    }

    List<Entry> matching(Predicate<Entry> wanted) {
        return entries.values().stream().filter(wanted).toList();
    }
}
