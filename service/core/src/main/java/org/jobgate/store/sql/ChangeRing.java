// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.JobId;
import org.jobgate.store.Change;
import org.jobgate.store.OwnerChanges;

/** The newest committed changes, so that readers at the tail of the stream do not touch the database. Safe for many threads. */
final class ChangeRing {

    private final int capacity;
    private final ArrayDeque<Change> newest = new ArrayDeque<>();
    /** Every committed change with a greater number is here. */
    private long floor;

    private long last;

    /** The newest number that a purge has taken out of the stream. */
    private long purged;

    ChangeRing(int capacity) {
        this.capacity = capacity;
    }

    /** Empties the ring: whatever was committed up to this number is in the database only. */
    synchronized void restart(long lastCommitted, long newestPurged) {
        newest.clear();
        floor = lastCommitted;
        last = lastCommitted;
        purged = newestPurged;
    }

    synchronized void append(List<Change> changes) {
        for (Change change : changes) {
            newest.addLast(change);
            last = change.sequence();
            if (newest.size() > capacity) {
                floor = newest.removeFirst().sequence();
            }
        }
    }

    synchronized void forget(Set<JobId> jobs, long newestPurged) {
        purged = Math.max(purged, newestPurged);
        newest.removeIf(change -> jobs.contains(change.job()));
    }

    synchronized long last() {
        return last;
    }

    /** Empty where the ring does not reach back to the cursor. */
    synchronized Optional<List<Change>> after(long cursor, int limit) {
        if (cursor < floor) {
            return Optional.empty();
        }
        if (cursor >= last) {
            return Optional.of(List.of());
        }
        List<Change> found = new ArrayList<>();
        var backwards = newest.descendingIterator();
        while (backwards.hasNext()) {
            Change change = backwards.next();
            if (change.sequence() <= cursor) {
                break;
            }
            found.add(change);
        }
        List<Change> inOrder = found.reversed();
        return Optional.of(List.copyOf(inOrder.subList(0, Math.min(limit, inOrder.size()))));
    }

    /** The same of the changes of one owner's jobs; also empty where some after the cursor may have been purged. */
    synchronized Optional<OwnerChanges> ofOwner(String subject, long cursor, int limit) {
        if (cursor < floor || cursor < purged || cursor > last) {
            return Optional.empty();
        }
        List<Change> found = new ArrayList<>();
        var backwards = newest.descendingIterator();
        while (backwards.hasNext()) {
            Change change = backwards.next();
            if (change.sequence() <= cursor) {
                break;
            }
            if (change.subject().equals(subject)) {
                found.add(change);
            }
        }
        List<Change> inOrder = found.reversed();
        if (inOrder.size() <= limit) {
            return Optional.of(new OwnerChanges(inOrder, last, true));
        }
        List<Change> page = inOrder.subList(0, limit);
        return Optional.of(new OwnerChanges(page, page.getLast().sequence(), false));
    }
}
