// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jobgate.access.Caller;
import org.jobgate.access.Jobs;
import org.jobgate.door.DoorAddresses;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** Finds the jobs that a request is about. */
final class Selection {

    /** No page of a list is longer. */
    private static final int PAGE = 1_000;

    private final Jobs jobs;
    private final JobBook book;
    private final CreamSettings settings;

    Selection(Jobs jobs, JobBook book, CreamSettings settings) {
        this.jobs = requireNonNull(jobs, "jobs is null");
        this.book = requireNonNull(book, "book is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    /**
     * One job that is meant, or why it is not: either job and kept are present, or the fault is.
     *
     * @param id as the client named it, or as it is
     */
    record Found(
            String id,
            @Nullable Job job,
            @Nullable CreamJob kept,
            @Nullable CreamFault fault) {

        static Found of(Job job, CreamJob kept) {
            return new Found(kept.id(), job, kept, null);
        }

        Found refused(CreamFault why) {
            return new Found(id, job, kept, why);
        }

        Job theJob() {
            return requireNonNull(job, "a job that was not found");
        }

        CreamJob theKept() {
            return requireNonNull(kept, "a job that was not found");
        }
    }

    /** The jobs of the filter, in its order; without ids, by their age. */
    List<Found> find(Caller caller, JobFilter filter) {
        return filter.ids().isEmpty() ? matching(caller, filter) : named(caller, filter);
    }

    private List<Found> named(Caller caller, JobFilter filter) {
        List<@Nullable CreamJob> kept = new ArrayList<>();
        Map<JobId, Job> found = new HashMap<>();
        List<JobId> ids = new ArrayList<>();
        for (JobFilter.Named named : filter.ids()) {
            CreamJob job = CreamIds.read(named.id()).flatMap(book::find).orElse(null);
            kept.add(job);
            if (job != null) {
                ids.add(job.job());
            }
        }
        for (Optional<Job> job : jobs.findAll(caller, ids)) {
            job.ifPresent(there -> found.put(there.id(), there));
        }
        List<Found> result = new ArrayList<>();
        for (int i = 0; i < kept.size(); i++) {
            String id = filter.ids().get(i).id();
            CreamJob known = kept.get(i);
            Job job = known == null ? null : found.get(known.job());
            result.add(
                    known == null || job == null
                            ? new Found(CreamIds.read(id).orElse(CreamNames.shown(id)), null, null, filter.unknown())
                            : filter.mismatch(job, known)
                                    .map(why -> Found.of(job, known).refused(why))
                                    .orElseGet(() -> Found.of(job, known)));
        }
        return result;
    }

    private List<Found> matching(Caller caller, JobFilter filter) {
        List<Found> result = new ArrayList<>();
        for (Job job : all(caller)) {
            book.of(job.id())
                    .filter(kept -> filter.mismatch(job, kept).isEmpty())
                    .ifPresent(kept -> result.add(Found.of(job, kept)));
        }
        return result;
    }

    /** Shows the caller's jobs that came by this door and are not over, a page at a time: nothing of them is answered, so no limit of answers counts. */
    void eachLive(Caller caller, Consumer<List<Job>> look) {
        JobQuery query =
                JobQuery.builder().door(DoorAddresses.CREAM).limit(PAGE).build();
        List<Job> page;
        do {
            page = jobs.list(caller, query);
            look.accept(page);
            query = page.isEmpty() ? query : query.next(page.getLast().id());
        } while (page.size() == PAGE);
    }

    /** All jobs of the caller that came by this door, the oldest first. */
    List<Job> all(Caller caller) {
        List<Job> all = new ArrayList<>();
        JobQuery query = JobQuery.builder()
                .door(DoorAddresses.CREAM)
                .finished(true)
                .limit(PAGE)
                .build();
        while (true) {
            List<Job> page = jobs.list(caller, query);
            all.addAll(page);
            settings.listedJobs().check(all.size(), "jobs in one answer");
            if (page.size() < PAGE) {
                return all;
            }
            query = query.next(page.getLast().id());
        }
    }
}
