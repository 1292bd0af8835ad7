// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.CreateResult;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobQuery;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.jspecify.annotations.Nullable;

/** What a store should hold, kept in the plainest way. For comparing a real one with. */
final class StoreModel {

    /** Ids sort by their text as by their bytes. */
    private final TreeMap<String, Job> jobs = new TreeMap<>();

    private final Map<SubmissionKey, JobId> keys = new HashMap<>();
    private final Map<JobId, JobDescription> descriptions = new HashMap<>();
    private final List<Event> events = new ArrayList<>();
    private final TreeMap<String, DoorRecord> records = new TreeMap<>();
    private final Map<String, Long> cursors = new HashMap<>();

    /** A change without what the store chooses itself: its number and time. */
    record Event(
            JobId job,
            long version,
            @Nullable JobState from,
            JobState to,
            boolean holding,
            @Nullable String note) {}

    CreateResult create(NewJob newJob) {
        JobId known = keys.get(newJob.job().key());
        if (known == null) {
            Job job = newJob.job();
            jobs.put(job.id().toString(), job);
            keys.put(job.key(), job.id());
            descriptions.put(job.id(), newJob.description());
            newJob.records().forEach(this::putRecord);
            events.add(new Event(job.id(), 1, null, job.state(), job.holding(), null));
            return new CreateResult.Created(job);
        }
        Job job = job(known);
        boolean same = newJob.description().equals(descriptions.get(known))
                && job.lrm().equals(newJob.job().lrm())
                && job.owner().equals(newJob.job().owner());
        return same ? new CreateResult.Existing(job) : new CreateResult.Conflict(job);
    }

    Job job(JobId id) {
        Job job = jobs.get(id.toString());
        if (job == null) {
            throw new IllegalStateException("the model has no job " + id);
        }
        return job;
    }

    Job update(JobId id, List<Step> steps) {
        Job before = job(id);
        for (Step step : steps) {
            Job after = step.job().withVersion(before.version() + 1);
            if (step.published()) {
                events.add(new Event(id, after.version(), before.state(), after.state(), after.holding(), step.note()));
            }
            before = after;
        }
        jobs.put(id.toString(), before);
        return before;
    }

    void putRecord(DoorRecord record) {
        records.put(record.id(), record);
    }

    boolean deleteRecord(String id) {
        return records.remove(id) != null;
    }

    void saveCursor(String name, long sequence) {
        cursors.put(name, sequence);
    }

    long cursor(String name) {
        return cursors.getOrDefault(name, 0L);
    }

    int purge(Instant endedBefore, int limit) {
        List<Job> old = jobs.values().stream()
                .filter(job -> job.ended() != null && job.ended().isBefore(endedBefore))
                .sorted(Comparator.comparing(Job::ended))
                .limit(limit)
                .toList();
        for (Job job : old) {
            jobs.remove(job.id().toString());
            keys.remove(job.key());
            descriptions.remove(job.id());
            events.removeIf(event -> event.job().equals(job.id()));
            records.values().removeIf(record -> job.id().equals(record.job()));
        }
        return old.size();
    }

    List<Job> all() {
        return List.copyOf(jobs.values());
    }

    List<Job> list(JobQuery query) {
        return jobs.values().stream()
                .filter(job -> query.finished() || !job.state().isTerminal())
                .filter(job -> query.states().isEmpty() || query.states().contains(job.state()))
                .filter(job -> query.subject() == null
                        || query.subject().equals(job.key().subject()))
                .filter(job -> query.holding() == null || query.holding() == job.holding())
                .filter(job -> query.after() == null
                        || query.after().toString().compareTo(job.id().toString()) < 0)
                .limit(query.limit())
                .toList();
    }

    List<Event> events() {
        return events;
    }

    List<DoorRecord> records() {
        return List.copyOf(records.values());
    }

    List<SubmissionKey> keys() {
        return List.copyOf(keys.keySet());
    }

    JobId jobOf(SubmissionKey key) {
        JobId id = keys.get(key);
        if (id == null) {
            throw new IllegalStateException("the model has no key " + key);
        }
        return id;
    }

    JobDescription description(JobId id) {
        JobDescription description = descriptions.get(id);
        if (description == null) {
            throw new IllegalStateException("the model has no description of " + id);
        }
        return description;
    }

    Map<JobState, Long> countByState() {
        Map<JobState, Long> counts = new HashMap<>();
        for (Job job : jobs.values()) {
            if (!job.state().isTerminal()) {
                counts.merge(job.state(), 1L, Long::sum);
            }
        }
        return counts;
    }
}
