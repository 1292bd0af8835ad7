// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.Change;
import org.jobgate.store.CreateResult;
import org.jobgate.store.CreatedJob;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.GroupStore;
import org.jobgate.store.JobQuery;
import org.jobgate.store.JobStore;
import org.jobgate.store.JobUpdate;
import org.jobgate.store.NewJob;
import org.jobgate.store.OwnerChanges;
import org.jobgate.store.OwnerLoad;
import org.jobgate.store.Step;
import org.jobgate.store.StoreStatistics;
import org.jspecify.annotations.Nullable;

/** A store in memory, for tests of the door: keeps what it is given, forgets it at the end. Can be told to be broken. */
public final class FakeStore implements JobStore {

    private final Map<JobId, Job> jobs = new TreeMap<>(Comparator.comparing(JobId::toString));
    private final Map<JobId, JobDescription> descriptions = new HashMap<>();
    private final Map<SubmissionKey, JobId> keys = new HashMap<>();
    private final Map<String, DoorRecord> records = new TreeMap<>();
    private final Map<String, Long> cursors = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Consumer<List<Change>>> listeners = new ArrayList<>();
    private @Nullable RuntimeException failure;

    /** From now on every write fails with this; null mends it. */
    public synchronized void failWith(@Nullable RuntimeException exception) {
        failure = exception;
    }

    @Override
    public synchronized CompletableFuture<CreateResult> create(NewJob newJob) {
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        Job job = newJob.job();
        JobId present = keys.get(job.key());
        if (present != null) {
            boolean isSame = newJob.description().equals(descriptions.get(present));
            Job old = requireNonNull(jobs.get(present));
            return CompletableFuture.completedFuture(
                    isSame ? new CreateResult.Existing(old) : new CreateResult.Conflict(old));
        }
        keys.put(job.key(), job.id());
        jobs.put(job.id(), job);
        descriptions.put(job.id(), newJob.description());
        newJob.records().forEach(record -> records.put(record.kind() + " " + record.id(), record));
        publish(job, null, null, null);
        return CompletableFuture.completedFuture(new CreateResult.Created(job));
    }

    @Override
    public CompletableFuture<List<CreateResult>> createAll(List<NewJob> newJobs) {
        return CompletableFuture.completedFuture(
                newJobs.stream().map(newJob -> create(newJob).join()).toList());
    }

    @Override
    public synchronized CompletableFuture<Optional<Job>> update(JobId id, JobUpdate update) {
        Job job = jobs.get(id);
        if (job == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        List<Step> steps = update.apply(job);
        for (Step step : steps) {
            JobState before = job.state();
            Job after = step.job().withVersion(job.version() + 1);
            job = after;
            jobs.put(id, after);
            if (step.published()) {
                publish(after, step.event(), before, step.note());
            }
        }
        return CompletableFuture.completedFuture(Optional.of(job));
    }

    @Override
    public CompletableFuture<List<Optional<Job>>> updateAll(List<JobId> ids, JobUpdate update) {
        return CompletableFuture.completedFuture(
                ids.stream().map(id -> update(id, update).join()).toList());
    }

    @Override
    public synchronized Map<JobId, JobDescription> descriptions(Collection<JobId> ids) {
        Map<JobId, JobDescription> found = new HashMap<>(descriptions);
        found.keySet().retainAll(ids);
        return found;
    }

    private void publish(Job job, @Nullable JobEvent event, @Nullable JobState from, @Nullable String note) {
        Change change = new Change(
                changes.size() + 1L,
                job.id(),
                job.owner().subject(),
                job.version(),
                job.changed(),
                event,
                from,
                job.state(),
                job.holding(),
                note);
        changes.add(change);
        listeners.forEach(listener -> listener.accept(List.of(change)));
    }

    @Override
    public synchronized Optional<Job> find(JobId id) {
        return Optional.ofNullable(jobs.get(id));
    }

    @Override
    public synchronized Map<JobId, Job> findAll(Collection<JobId> ids) {
        Map<JobId, Job> found = new HashMap<>(jobs);
        found.keySet().retainAll(ids);
        return found;
    }

    @Override
    public synchronized Optional<Job> find(SubmissionKey key) {
        return Optional.ofNullable(keys.get(key)).map(jobs::get);
    }

    @Override
    public List<JobId> findByPart(String digits, int limit) {
        throw new UnsupportedOperationException("doors know whole ids");
    }

    @Override
    public synchronized Optional<JobDescription> description(JobId id) {
        return Optional.ofNullable(descriptions.get(id));
    }

    @Override
    public synchronized List<Job> list(JobQuery query) {
        return jobs.values().stream()
                .filter(job -> matches(query, job))
                .limit(query.limit())
                .toList();
    }

    @Override
    public List<JobId> ids(JobQuery query) {
        return list(query).stream().map(Job::id).toList();
    }

    private static boolean matches(JobQuery query, Job job) {
        JobId after = query.after();
        JobId until = query.until();
        return (query.subject() == null || query.subject().equals(job.owner().subject()))
                && (query.lrm() == null || query.lrm().equals(job.lrm()))
                && (query.states().isEmpty() || query.states().contains(job.state()))
                && (query.finished() || !job.state().isTerminal())
                && !(query.exceptGone() && job.isGone())
                && (after == null || job.id().toString().compareTo(after.toString()) > 0)
                && (until == null || job.id().toString().compareTo(until.toString()) <= 0);
    }

    @Override
    public Map<JobState, Long> countByState() {
        return Map.of();
    }

    @Override
    public long countLive(String subject) {
        return 0;
    }

    @Override
    public long countLive() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<OwnerLoad> busiestOwners(int limit) {
        throw new UnsupportedOperationException("no door asks for it");
    }

    @Override
    public List<String> accountsWithLiveJobs(String lrm) {
        return List.of();
    }

    @Override
    public synchronized List<Change> changesAfter(long cursor, int limit) {
        return changes.stream()
                .filter(change -> change.sequence() > cursor)
                .limit(limit)
                .toList();
    }

    @Override
    public GroupStore groups() {
        throw new UnsupportedOperationException("GRAM4 has no groups of jobs");
    }

    @Override
    public OwnerChanges changesOf(String subject, long cursor, int limit) {
        throw new UnsupportedOperationException("GRAM4 has no stream of an owner's changes");
    }

    @Override
    public synchronized List<Change> changesOf(JobId id) {
        return changes.stream().filter(change -> change.job().equals(id)).toList();
    }

    @Override
    public synchronized long lastChange() {
        return changes.size();
    }

    @Override
    public synchronized long cursor(String name) {
        return cursors.getOrDefault(name, 0L);
    }

    @Override
    public synchronized CompletableFuture<Void> saveCursor(String name, long sequence) {
        cursors.put(name, sequence);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletableFuture<Void> putRecord(DoorRecord record) {
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        records.put(record.kind() + " " + record.id(), record);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletableFuture<Boolean> deleteRecord(String kind, String id) {
        return CompletableFuture.completedFuture(records.remove(kind + " " + id) != null);
    }

    @Override
    public synchronized Optional<DoorRecord> findRecord(String kind, String id) {
        return Optional.ofNullable(records.get(kind + " " + id));
    }

    @Override
    public synchronized List<DoorRecord> recordsOf(String kind, JobId job) {
        return records.values().stream()
                .filter(record -> record.kind().equals(kind) && job.equals(record.job()))
                .toList();
    }

    @Override
    public synchronized long countRecords(String kind) {
        return records.values().stream()
                .filter(record -> record.kind().equals(kind))
                .count();
    }

    @Override
    public synchronized List<DoorRecord> listRecords(String kind, String afterId, int limit) {
        return records.values().stream()
                .filter(record -> record.kind().equals(kind) && record.id().compareTo(afterId) > 0)
                .limit(limit)
                .toList();
    }

    @Override
    public CompletableFuture<Integer> purge(Instant endedBefore, int limit, Set<JobId> kept) {
        return CompletableFuture.completedFuture(0);
    }

    @Override
    public synchronized void onCommit(Consumer<List<Change>> listener) {
        listeners.add(listener);
    }

    @Override
    public void onCreate(Consumer<List<CreatedJob>> listener) {
        // nobody here wants to be spared a reading
    }

    @Override
    public void probe() {
        // memory is always there
    }

    @Override
    public StoreStatistics statistics() {
        return new StoreStatistics(0, 0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    @Override
    public void close() {
        // nothing is open
    }
}
