// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A group of jobs that differ by an index or a value, as it stands: an array, or a sweep over values. Its elements become jobs as their
 * turn comes. What its elements ask for is kept apart: see {@link org.jobgate.store.GroupStore#template}.
 *
 * @param key who sent it by which door under which id
 * @param language the language of its description at that door
 * @param version counts every stored change of it or its elements' states, from 1
 * @param maxRunning at most so many of its elements have a job that is not over at any time
 * @param nextPlace no element before this place waits
 * @param counts how many elements stand how
 * @param changed when it changed last
 * @param ended since when no element of it waits or runs
 * @param destroyed whether its owner has asked to forget it: to its owner it exists no more once it is over
 * @param keepAfterEnd how long to keep each of its jobs from its end on; absent means as long as the service keeps finished jobs
 */
public record JobGroup(
        JobId id,
        SubmissionKey key,
        String language,
        Owner owner,
        String lrm,
        long version,
        GroupIndexes indexes,
        int maxRunning,
        int nextPlace,
        ElementCounts counts,
        Instant created,
        Instant changed,
        @Nullable Instant ended,
        boolean destroyed,
        @Nullable Duration keepAfterEnd) {

    public JobGroup {
        requireNonNull(id, "id is null");
        requireNonNull(key, "key is null");
        requireNonNull(language, "language is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(lrm, "lrm is null");
        requireNonNull(indexes, "indexes is null");
        requireNonNull(counts, "counts is null");
        requireNonNull(created, "created is null");
        requireNonNull(changed, "changed is null");
        if (maxRunning < 1) {
            throw new IllegalArgumentException("maxRunning is " + maxRunning + "; at least 1 is needed");
        }
    }

    /** A group as it is first stored: all its elements wait. */
    public static JobGroup create(
            JobId id,
            SubmissionKey key,
            String language,
            Owner owner,
            String lrm,
            GroupIndexes indexes,
            int maxRunning,
            @Nullable Duration keepAfterEnd,
            Instant now) {
        return new JobGroup(
                id,
                key,
                language,
                owner,
                lrm,
                1,
                indexes,
                maxRunning,
                0,
                ElementCounts.waiting(indexes.size()),
                now,
                now,
                null,
                false,
                keepAfterEnd);
    }

    public JobOrigin origin() {
        return new JobOrigin(key.door(), language);
    }

    public boolean isOver() {
        return counts.isOver();
    }

    /** Whether its owner no longer sees it. */
    public boolean isGone() {
        return destroyed && isOver();
    }

    public JobGroup withCounts(ElementCounts value) {
        return copy(version, maxRunning, nextPlace, value, changed, ended, destroyed);
    }

    public JobGroup withNextPlace(int value) {
        return copy(version, maxRunning, value, counts, changed, ended, destroyed);
    }

    public JobGroup withMaxRunning(int value) {
        return copy(version, value, nextPlace, counts, changed, ended, destroyed);
    }

    public JobGroup withDestroyed(boolean value) {
        return copy(version, maxRunning, nextPlace, counts, changed, ended, value);
    }

    /** As it is stored after a change: with the next version, and ended where it is over. */
    public JobGroup stored(Instant now) {
        Instant end = ended == null ? now : ended;
        return copy(version + 1, maxRunning, nextPlace, counts, now, isOver() ? end : null, destroyed);
    }

    private JobGroup copy(
            long newVersion,
            int newMaxRunning,
            int newNextPlace,
            ElementCounts newCounts,
            Instant newChanged,
            @Nullable Instant newEnded,
            boolean newDestroyed) {
        return new JobGroup(
                id,
                key,
                language,
                owner,
                lrm,
                newVersion,
                indexes,
                newMaxRunning,
                newNextPlace,
                newCounts,
                created,
                newChanged,
                newEnded,
                newDestroyed,
                keepAfterEnd);
    }
}
