// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jobgate.job.Job;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.jobgate.store.CreatedJob;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.jobgate.store.sql.Lookups.StoredSubmission;
import org.jspecify.annotations.Nullable;

/**
 * One transaction in the making. Writes work on the jobs in memory and so see one another; {@link #flush} then writes each job that
 * changed once, however often it changed. Used by the writer's thread only.
 */
final class Batch {

    private final Statements statements;
    private final Lookups lookups;
    private final Clock clock;
    private final Map<JobId, Tracked> jobs = new LinkedHashMap<>();
    private final Map<SubmissionKey, Optional<StoredSubmission>> submissions = new HashMap<>();
    private final BatchRows rows = new BatchRows();
    private final GroupBatch groups;
    private final List<Change> changes = new ArrayList<>();
    private final List<CreatedJob> created = new ArrayList<>();
    private final List<Consumer<ChangeRing>> afterCommit = new ArrayList<>();
    /** The transitions of jobs that were removed in this same transaction. */
    private final List<LiveCounts.Transition> transitions = new ArrayList<>();

    /** Jobs that were removed, also those that no write of this transaction has looked at. */
    private final Set<JobId> removed = new HashSet<>();

    private long lastSequence;
    private boolean dirty;

    Batch(Statements statements, Lookups lookups, Clock clock, long lastSequence) {
        this.statements = statements;
        this.groups = new GroupBatch(statements);
        this.lookups = lookups;
        this.clock = clock;
        this.lastSequence = lastSequence;
    }

    /** A job and what is known of its row. */
    static final class Tracked {
        /** As it was before this transaction; absent where it was not. */
        final @Nullable Job before;
        /** As its row is now, inside the transaction. */
        @Nullable
        Job written;

        Job now;

        Tracked(@Nullable Job before, Job now) {
            this.before = before;
            this.written = before;
            this.now = now;
        }

        LiveCounts.Transition transition() {
            return new LiveCounts.Transition(before, now);
        }
    }

    Statements statements() {
        return statements;
    }

    GroupBatch groups() {
        return groups;
    }

    Instant now() {
        return Values.stored(clock.instant());
    }

    long lastSequence() {
        return lastSequence;
    }

    List<Change> changes() {
        return changes;
    }

    /** The jobs that {@link #insert} has added. */
    List<CreatedJob> created() {
        return created;
    }

    /** Whether there is anything to commit. */
    boolean isDirty() {
        return dirty;
    }

    void fetch(Set<JobId> ids, Set<SubmissionKey> keys) throws SQLException {
        fetchKeys(keys);
        List<JobId> wanted = new ArrayList<>(ids);
        for (SubmissionKey key : keys) {
            known(key).ifPresent(found -> wanted.add(found.job()));
        }
        fetchJobs(wanted);
    }

    private void fetchKeys(Collection<SubmissionKey> keys) throws SQLException {
        List<SubmissionKey> unknown =
                keys.stream().filter(key -> !submissions.containsKey(key)).toList();
        Map<SubmissionKey, StoredSubmission> found = lookups.submissions(statements::get, unknown);
        for (SubmissionKey key : unknown) {
            submissions.put(key, Optional.ofNullable(found.get(key)));
        }
    }

    private void fetchJobs(Collection<JobId> ids) throws SQLException {
        List<JobId> unknown =
                ids.stream().distinct().filter(id -> !jobs.containsKey(id)).toList();
        for (Job job : lookups.jobs(statements::get, unknown).values()) {
            jobs.put(job.id(), new Tracked(job, job));
        }
    }

    /** What the key names in this transaction; {@link #fetch} must have been called with it. */
    Optional<StoredSubmission> known(SubmissionKey key) {
        return Objects.requireNonNull(submissions.get(key), "the key was not fetched");
    }

    /** The job as it is in this transaction; {@link #fetch} must have been called with it. */
    @Nullable
    Job current(JobId id) {
        Tracked tracked = jobs.get(id);
        return tracked == null ? null : tracked.now;
    }

    /** Adds a job that is not there; the caller has looked. */
    Job insert(NewJob newJob, JobDescriptionCodec.Encoded description) {
        if (jobs.containsKey(newJob.job().id())) {
            throw new IllegalArgumentException("the job id " + newJob.job().id() + " is used by another job already");
        }
        Job job = JobRows.stored(newJob.job(), 1);
        jobs.put(job.id(), new Tracked(null, job));
        submissions.put(job.key(), Optional.of(new StoredSubmission(job.id(), description.digest())));
        rows.addSubmission(job, description);
        newJob.records().forEach(rows::putRecord);
        created.add(new CreatedJob(
                job, newJob.description(), newJob.records(), description.json().length()));
        changes.add(change(job, null, null, null));
        dirty = true;
        return job;
    }

    /** Takes a job through the steps: all of them, or none where one is not allowed. */
    Job update(Job current, List<Step> steps) {
        return take(current, allowed(current, steps));
    }

    /**
     * The steps as they will be stored.
     *
     * @throws IllegalStateException where one is not allowed
     */
    static List<Step> allowed(Job current, List<Step> steps) {
        Job job = current;
        List<Step> kept = new ArrayList<>();
        for (Step step : steps) {
            Steps.requireAllowed(job, step);
            Job next = JobRows.stored(step.job(), job.version() + 1);
            kept.add(new Step(step.event(), next, step.note(), step.published()));
            job = next;
        }
        return kept;
    }

    /** Takes a job through steps that {@link #allowed} has answered. */
    Job take(Job current, List<Step> allowed) {
        Tracked tracked = Objects.requireNonNull(jobs.get(current.id()), "the job was not fetched");
        Job from = current;
        for (Step step : allowed) {
            if (step.published()) {
                changes.add(change(step.job(), from, step.event(), step.note()));
            }
            from = step.job();
            dirty = true;
        }
        tracked.now = from;
        return from;
    }

    private Change change(Job job, @Nullable Job from, @Nullable JobEvent event, @Nullable String note) {
        lastSequence++;
        return new Change(
                lastSequence,
                job.id(),
                job.owner().subject(),
                job.version(),
                now(),
                event,
                from == null ? null : from.state(),
                job.state(),
                job.holding(),
                Values.readable(note));
    }

    void putRecord(DoorRecord record) {
        rows.putRecord(record);
        dirty = true;
    }

    /** Notes that something was written past the jobs. */
    void touch() {
        dirty = true;
    }

    /** What to do with the changes in memory once the transaction is on disk. */
    void onCommit(Consumer<ChangeRing> action) {
        afterCommit.add(action);
    }

    List<Consumer<ChangeRing>> commitActions() {
        return afterCommit;
    }

    /** Writes what has gathered, inside the transaction. */
    void flush() throws SQLException {
        rows.flush(statements, jobs.values(), changes, groups);
        groups.flush(now());
    }

    /** Takes note that a statement has removed these jobs. Only after {@link #flush}. */
    void forgetJobs(Set<JobId> ids) {
        removed.addAll(ids);
        for (JobId id : ids) {
            Tracked tracked = jobs.remove(id);
            if (tracked != null) {
                transitions.add(tracked.transition());
            }
        }
        submissions.replaceAll((key, found) -> found.filter(submission -> !ids.contains(submission.job())));
    }

    /** The jobs whose rows may be others after the commit than before. */
    Set<JobId> touchedJobs() {
        Set<JobId> touched = new HashSet<>(removed);
        jobs.forEach((id, tracked) -> {
            if (!tracked.now.equals(tracked.before)) {
                touched.add(id);
            }
        });
        return touched;
    }

    /** What the transaction did to each job. */
    List<LiveCounts.Transition> transitions() {
        List<LiveCounts.Transition> all = new ArrayList<>(transitions);
        for (Tracked tracked : jobs.values()) {
            if (!tracked.now.equals(tracked.before)) {
                all.add(tracked.transition());
            }
        }
        return all;
    }
}
