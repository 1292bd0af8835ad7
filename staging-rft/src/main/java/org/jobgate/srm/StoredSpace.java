// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;

/**
 * Space that a client has reserved in a tree, as it is remembered.
 *
 * @param description the owner's own words for it
 * @param size in bytes
 * @param used of it, by files that were put and are done
 * @param created in seconds since 1970
 * @param until when it is over
 * @param held by files that are on their way, by their places in their requests
 */
record StoredSpace(
        String token,
        String owner,
        String tree,
        String description,
        long size,
        long used,
        long created,
        long until,
        Map<String, Held> held) {

    /**
     * What one file needs.
     *
     * @param since in seconds since 1970
     */
    record Held(long bytes, long since) {}

    StoredSpace {
        requireNonNull(token, "token is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(tree, "tree is null");
        requireNonNull(description, "description is null");
        held = Map.copyOf(held);
    }

    /** What nothing is in, and nothing is on its way to. */
    long unused() {
        long coming = held.values().stream().mapToLong(Held::bytes).sum();
        return Math.max(0, size - used - coming);
    }

    /** What is kept from others: it is not on the disk yet. */
    long reserved() {
        return Math.max(0, size - used);
    }

    StoredSpace with(long newSize, long newUntil) {
        return new StoredSpace(token, owner, tree, description, newSize, used, created, newUntil, held);
    }

    /** @param files that are to come, by their places in their requests */
    StoredSpace holding(Map<String, Held> files) {
        Map<String, Held> more = new HashMap<>(held);
        more.putAll(files);
        return new StoredSpace(token, owner, tree, description, size, used, created, until, more);
    }

    /** @param files whose transfers have ended, by their places, with so many bytes each or none */
    StoredSpace settled(Map<String, Long> files) {
        Map<String, Held> fewer = new HashMap<>(held);
        fewer.keySet().removeAll(files.keySet());
        long bytes = files.values().stream().mapToLong(Long::longValue).sum();
        return new StoredSpace(token, owner, tree, description, size, used + bytes, created, until, fewer);
    }
}
