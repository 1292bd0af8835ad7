// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.jobs.JobsBySubject;
import org.jobgate.store.JobQuery;
import org.jspecify.annotations.Nullable;

/**
 * A list of jobs that may be long. Which jobs it has is settled when it is made; the jobs themselves are read piece by piece while they are taken, a piece
 * ahead of who takes them, so that a long list is never in memory whole and is on its way while it is read. Each job is told as it is when its piece is read; one
 * that does not match any more by then, or is gone, is left out. For one thread.
 */
public final class JobListing {

    /** Jobs of a piece. Fewer make more questions, more make the first ones wait. */
    static final int PIECE = 500;

    private final JobsBySubject jobs;
    private final String subject;
    private final JobQuery query;
    private final List<JobId> ids;
    private final @Nullable List<Job> whole;
    private final boolean isAll;

    private JobListing(
            JobsBySubject jobs,
            String subject,
            JobQuery query,
            List<JobId> ids,
            @Nullable List<Job> whole,
            boolean isAll) {
        this.jobs = jobs;
        this.subject = subject;
        this.query = query;
        this.ids = ids;
        this.whole = whole;
        this.isAll = isAll;
    }

    /** @param limit at most so many jobs; one more must be no more than the longest that a query may answer */
    static JobListing of(JobsBySubject jobs, String subject, JobQuery query, int limit) {
        JobQuery oneMore = query.toBuilder().limit(limit + 1).build();
        if (limit > PIECE) {
            List<JobId> found = jobs.ids(subject, oneMore);
            return new JobListing(jobs, subject, query, firstOf(found, limit), null, found.size() <= limit);
        }
        List<Job> found = jobs.list(subject, oneMore);
        List<Job> shown = firstOf(found, limit);
        List<JobId> ids = shown.stream().map(Job::id).toList();
        return new JobListing(jobs, subject, query, ids, shown, found.size() <= limit);
    }

    private static <T> List<T> firstOf(List<T> found, int most) {
        return found.size() <= most ? found : found.subList(0, most);
    }

    /** The last job of the list, where more match that come after it: a query for those begins there. */
    public Optional<JobId> next() {
        return isAll ? Optional.empty() : Optional.of(ids.getLast());
    }

    /**
     * Each job, in the order that the query says.
     *
     * @throws org.jobgate.job.FaultException where the store cannot be asked, also after some jobs were taken
     */
    public void forEach(Consumer<Job> taker) {
        if (whole != null) {
            whole.forEach(taker);
            return;
        }
        FutureTask<List<Job>> ahead = read(0);
        for (int from = 0; from < ids.size(); from += PIECE) {
            List<Job> piece = result(ahead);
            if (from + PIECE < ids.size()) {
                ahead = read(from + PIECE);
            }
            piece.forEach(taker);
        }
    }

    /** Begins to read the piece that begins at this place. */
    private FutureTask<List<Job>> read(int from) {
        FutureTask<List<Job>> task = new FutureTask<>(() -> piece(from));
        Thread.ofVirtual().name("list-ahead").start(task);
        return task;
    }

    /** By the order of the ids and not each by its id: that takes the store half as long. Whatever matches only since is not of this list. */
    private List<Job> piece(int from) {
        List<JobId> wanted = ids.subList(from, Math.min(from + PIECE, ids.size()));
        JobQuery.Builder part = query.toBuilder().until(wanted.getLast()).limit(JobQuery.MAX_LIMIT);
        if (from > 0) {
            part.after(ids.get(from - 1));
        }
        List<Job> shown = new ArrayList<>(wanted.size());
        int place = 0;
        boolean isMore = true;
        // one question is enough, unless thousands have come to match between these meanwhile
        while (isMore) {
            List<Job> found = jobs.list(subject, part.build());
            for (Job job : found) {
                int at = wanted.subList(place, wanted.size()).indexOf(job.id());
                if (at >= 0) {
                    shown.add(job);
                    place += at + 1;
                }
            }
            isMore = found.size() == JobQuery.MAX_LIMIT && place < wanted.size();
            if (isMore) {
                part.after(found.getLast().id());
            }
        }
        return shown;
    }

    private static List<Job> result(FutureTask<List<Job>> task) {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("a piece of a list could not be read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the service ends", e);
        }
    }
}
