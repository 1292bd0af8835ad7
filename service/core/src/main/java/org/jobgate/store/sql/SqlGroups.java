// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jobgate.job.ElementState;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultException;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupIndexes.Places;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.GroupVariants;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.GroupStore;
import org.jspecify.annotations.Nullable;

/** The groups of jobs in the SQL database: hands writes to the one writer, and reads past it. */
final class SqlGroups implements GroupStore {

    private static final int MAX_ROWS = 10_000;
    private static final JobId LEAST = new JobId(new UUID(0, 0));
    private static final JobId GREATEST = new JobId(new UUID(-1L, -1L));

    private final JobReads reads;
    private final GroupCommitWriter writer;
    private final JobDescriptionCodec codec;
    private final StoreJson json = new StoreJson();

    SqlGroups(JobReads reads, GroupCommitWriter writer, JobDescriptionCodec codec) {
        this.reads = reads;
        this.writer = writer;
        this.codec = codec;
    }

    @Override
    public CompletableFuture<GroupResult> create(JobGroup group, GroupTemplate template, List<DoorRecord> records) {
        try {
            return writer.offer(GroupWrites.Create.prepare(group, template, records, codec));
        } catch (FaultException | IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public Optional<JobGroup> find(JobId id) {
        return reads.row(GroupRows.BY_ID, statement -> Values.setId(statement, 1, id), GroupRows::read);
    }

    @Override
    public Optional<JobGroup> find(SubmissionKey key) {
        return reads.row(
                GroupRows.BY_KEY,
                statement -> {
                    statement.setString(1, key.subject());
                    statement.setString(2, key.door());
                    statement.setString(3, key.clientId());
                },
                GroupRows::read);
    }

    @Override
    public Optional<GroupTemplate> template(JobId id) {
        record Stored(String description, @Nullable String values) {}
        return find(id).flatMap(group -> reads.row(
                        GroupRows.TEMPLATE,
                        statement -> Values.setId(statement, 1, id),
                        row -> new Stored(row.getString(1), row.getString(2)))
                .map(stored -> template(group, codec.decode(stored.description()), stored.values())));
    }

    /** Values are stored as a JSON array, variants as an object. */
    private GroupTemplate template(JobGroup group, JobDescription description, @Nullable String values) {
        return values != null && values.startsWith("{")
                ? new GroupTemplate(description, group.indexes(), List.of(), json.read(values, GroupVariants.class))
                : new GroupTemplate(description, group.indexes(), json.readTexts(values));
    }

    @Override
    public List<JobGroup> list(String subject, @Nullable JobId after, int limit) {
        requireLimit(limit);
        return reads.rows(
                GroupRows.NEWEST,
                statement -> {
                    statement.setString(1, subject);
                    Values.setId(statement, 2, after == null ? GREATEST : after);
                    statement.setBoolean(3, false);
                    statement.setInt(4, limit);
                },
                GroupRows::read);
    }

    @Override
    public List<JobGroup> live(@Nullable JobId after, int limit) {
        requireLimit(limit);
        return reads.rows(
                GroupRows.ALL_LIVE,
                statement -> {
                    Values.setId(statement, 1, after == null ? LEAST : after);
                    statement.setInt(2, limit);
                },
                GroupRows::read);
    }

    @Override
    public long countLive(String subject) {
        return reads.number(GroupRows.COUNT_LIVE, subject);
    }

    private record Row(
            int place,
            int attempt,
            String state,
            @Nullable JobId job,
            @Nullable Fault fault) {}

    @Override
    public List<GroupElement> elements(JobGroup group, int fromPlace, int limit) {
        requireLimit(limit);
        List<Row> rows = reads.rows(
                GroupRows.ELEMENTS,
                statement -> {
                    Values.setId(statement, 1, group.id());
                    statement.setInt(2, fromPlace);
                    statement.setInt(3, limit);
                },
                row -> {
                    byte[] job = row.getBytes(4);
                    String fault = row.getString(5);
                    return new Row(
                            row.getInt(1),
                            row.getInt(2),
                            row.getString(3),
                            job == null ? null : Values.jobId(job),
                            fault == null ? null : json.read(fault, Fault.class));
                });
        Set<JobId> live = new HashSet<>();
        for (Row row : rows) {
            if (row.job() != null && row.state().equals(GroupRows.LIVE)) {
                live.add(row.job());
            }
        }
        Map<JobId, Job> jobs = live.isEmpty() ? Map.of() : reads.jobs(live);
        List<GroupElement> elements = new ArrayList<>();
        for (Row row : rows) {
            elements.add(new GroupElement(
                    group.indexes().index(row.place()), row.attempt(), state(row, jobs), row.job(), row.fault()));
        }
        return elements;
    }

    private static ElementState state(Row row, Map<JobId, Job> jobs) {
        if (!row.state().equals(GroupRows.LIVE)) {
            return ElementState.valueOf(row.state());
        }
        Job job = row.job() == null ? null : jobs.get(row.job());
        return job == null ? ElementState.UNSUBMITTED : ElementState.of(job);
    }

    @Override
    public List<Waiting> waiting(JobGroup group, int limit) {
        requireLimit(limit);
        return reads.rows(
                GroupRows.NEXT_WAITING,
                statement -> {
                    Values.setId(statement, 1, group.id());
                    statement.setInt(2, group.nextPlace());
                    statement.setInt(3, limit);
                },
                row -> new Waiting(row.getInt(1), row.getInt(2)));
    }

    @Override
    public List<ElementJob> jobs(JobGroup group, Places places, boolean onlyLive, int limit) {
        requireLimit(limit);
        return reads.rows(
                onlyLive ? GroupRows.LIVE_JOBS : GroupRows.JOBS,
                statement -> {
                    Values.setId(statement, 1, group.id());
                    statement.setInt(2, places.from());
                    statement.setInt(3, places.to());
                    statement.setInt(4, limit);
                },
                row -> new ElementJob(row.getInt(1), Values.jobId(row.getBytes(2))));
    }

    @Override
    public CompletableFuture<List<Job>> begin(JobGroup seen, List<Start> starts) {
        try {
            return writer.put(GroupWrites.Begin.prepare(seen, starts, codec));
        } catch (FaultException | IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> cancelWaiting(JobId id, Places places) {
        return writer.put(GroupWrites.cancelWaiting(id, places));
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> holdWaiting(JobId id, Places places) {
        return writer.put(GroupWrites.holdWaiting(id, places));
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> releaseHeld(JobId id, Places places) {
        return writer.put(GroupWrites.releaseHeld(id, places));
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> retryFailed(JobId id, Places places) {
        return writer.put(GroupWrites.retryFailed(id, places));
    }

    @Override
    public CompletableFuture<Optional<JobGroup>> change(JobId id, UnaryOperator<JobGroup> change) {
        return writer.put(GroupWrites.change(id, change));
    }

    @Override
    public CompletableFuture<Integer> purge(Instant endedBefore, int limit) {
        requireLimit(limit);
        return writer.put(new GroupPurge(endedBefore, limit));
    }

    private static void requireLimit(int limit) {
        if (limit < 1 || limit > MAX_ROWS) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MAX_ROWS);
        }
    }
}
