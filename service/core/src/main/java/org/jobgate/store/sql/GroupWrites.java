// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jobgate.job.ElementState;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.GroupIndexes.Places;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.Job;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.SubmissionKey;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.GroupStore.GroupResult;
import org.jobgate.store.GroupStore.Start;
import org.jobgate.store.GroupStore.Waiting;
import org.jobgate.store.NewJob;
import org.jspecify.annotations.Nullable;

/** What can be written about groups of jobs. Each flushes first what the transaction holds, for it reads and changes rows. */
final class GroupWrites {

    /** So many tiny rows take one place in the queue. */
    private static final int ROWS_OF_A_PLACE = 50;

    private static final StoreJson JSON = new StoreJson();

    private GroupWrites() {}

    /** Stores a group with its elements; what costs time was done before, on the caller's thread. */
    record Create(
            JobGroup group,
            JobDescriptionCodec.Encoded description,
            @Nullable String values,
            List<DoorRecord> records,
            String digest)
            implements Write<GroupResult> {

        static Create prepare(
                JobGroup group, GroupTemplate template, List<DoorRecord> records, JobDescriptionCodec codec) {
            Values.requireStorable(group.key().subject(), "the owner's subject");
            Values.requireStorable(group.key().clientId(), "the client's own id");
            template.values().forEach(value -> Values.requireStorable(value, "a value of the group"));
            JobDescriptionCodec.Encoded description = codec.encode(template.description());
            String values = values(template);
            // how many may run is no part of it: it can be changed, and a repeated request still means the same group
            String asked = String.join(
                    "\n",
                    description.digest(),
                    group.indexes().toString(),
                    group.lrm(),
                    group.owner().account(),
                    String.valueOf(values));
            return new Create(group, description, values, List.copyOf(records), sha256(asked));
        }

        /** What the elements have of their own, as it is stored; absent where that is their index only. */
        private static @Nullable String values(GroupTemplate template) {
            if (template.variants() == null) {
                return template.values().isEmpty() ? null : JSON.write(template.values());
            }
            String variants = JSON.write(template.variants());
            Values.requireStorable(variants, "a text of the group");
            return variants;
        }

        private static String sha256(String text) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }

        @Override
        public int weight() {
            return 1 + group.indexes().size() / ROWS_OF_A_PLACE;
        }

        @Override
        public GroupResult apply(Batch batch) throws SQLException {
            batch.flush();
            Statements statements = batch.statements();
            PreparedStatement known = statements.get(GroupRows.BY_KEY);
            known.setString(1, group.key().subject());
            known.setString(2, group.key().door());
            known.setString(3, group.key().clientId());
            try (ResultSet row = known.executeQuery()) {
                if (row.next()) {
                    JobGroup existing = GroupRows.read(row);
                    return HexFormat.of().formatHex(row.getBytes(20)).equals(digest)
                            ? new GroupResult.Existing(existing)
                            : new GroupResult.Conflict(existing);
                }
            }
            statements.forEach(
                    GroupRows.INSERT,
                    List.of(group),
                    (statement, added) -> GroupRows.bindInsert(
                            statement, added, HexFormat.of().parseHex(digest)));
            statements.forEach(GroupRows.INSERT_TEMPLATE, List.of(group.id()), (statement, id) -> {
                Values.setId(statement, 1, id);
                statement.setString(2, description.json());
                statement.setString(3, values);
            });
            Iterable<Integer> places =
                    () -> IntStream.range(0, group.indexes().size()).iterator();
            statements.forEach(GroupRows.INSERT_ELEMENT, places, (statement, place) -> {
                Values.setId(statement, 1, group.id());
                statement.setInt(2, place);
            });
            batch.groups().inserted(group);
            batch.touch();
            for (DoorRecord record : records) {
                batch.putRecord(record);
            }
            return new GroupResult.Created(group);
        }
    }

    /** Makes jobs of elements that still wait. */
    record Begin(JobGroup seen, List<Prepared> starts) implements Write<List<Job>> {

        /** An element with the description of its job as it will be stored. */
        record Prepared(Start start, JobDescriptionCodec.@Nullable Encoded description) {}

        static Begin prepare(JobGroup seen, List<Start> starts, JobDescriptionCodec codec) {
            List<Prepared> prepared = new ArrayList<>();
            for (Start start : starts) {
                NewJob newJob = start.newJob();
                prepared.add(new Prepared(start, newJob == null ? null : codec.encode(newJob.description())));
            }
            return new Begin(seen, prepared);
        }

        @Override
        public int weight() {
            return starts.size();
        }

        @Override
        public Set<SubmissionKey> keys() {
            Set<SubmissionKey> keys = new LinkedHashSet<>();
            for (Prepared one : starts) {
                NewJob newJob = one.start().newJob();
                if (newJob != null) {
                    keys.add(newJob.job().key());
                }
            }
            return keys;
        }

        @Override
        public List<Job> apply(Batch batch) throws SQLException {
            batch.flush();
            Optional<JobGroup> found = batch.groups().find(seen.id());
            if (found.isEmpty() || starts.isEmpty()) {
                return List.of();
            }
            JobGroup group = found.get();
            Set<Waiting> waiting = stillWaiting(batch);
            List<Job> begun = new ArrayList<>();
            List<Prepared> taken = new ArrayList<>();
            for (Prepared one : starts) {
                Start start = one.start();
                if (waiting.contains(new Waiting(start.place(), start.attempt()))) {
                    taken.add(one);
                    group = group.withCounts(group.counts().plus(ElementState.WAITING, -1));
                }
            }
            List<Row> rows = new ArrayList<>();
            for (Prepared one : taken) {
                Fault fault = one.start().fault();
                NewJob newJob = one.start().newJob();
                if (newJob != null && one.description() != null) {
                    if (batch.known(newJob.job().key()).isEmpty()) {
                        begun.add(batch.insert(newJob, one.description()));
                        rows.add(new Row(
                                one.start(), GroupRows.LIVE, newJob.job().id(), null));
                        continue;
                    }
                    fault = Fault.of(
                            FaultCode.KEY_REUSED,
                            "Another job has the key of this element.",
                            "Submit the group again under another id.");
                }
                rows.add(new Row(one.start(), ElementState.FAILED.name(), null, fault));
                group = group.withCounts(group.counts().plus(ElementState.FAILED, 1));
            }
            if (group.nextPlace() == seen.nextPlace()) {
                group = group.withNextPlace(starts.getLast().start().place() + 1);
            }
            batch.groups().put(group);
            batch.statements().forEach(GroupRows.SET_ELEMENT, rows, (statement, row) -> {
                statement.setString(1, row.state());
                Values.setId(statement, 2, row.job());
                statement.setString(3, row.fault() == null ? null : Values.readable(JSON.write(row.fault())));
                Values.setId(statement, 4, seen.id());
                statement.setInt(5, row.start().place());
                statement.setInt(6, row.start().attempt());
            });
            batch.touch();
            return begun;
        }

        private record Row(
                Start start,
                String state,
                @Nullable JobId job,
                @Nullable Fault fault) {}

        private Set<Waiting> stillWaiting(Batch batch) throws SQLException {
            PreparedStatement statement = batch.statements().get(GroupRows.STILL_WAITING);
            Values.setId(statement, 1, seen.id());
            statement.setInt(2, starts.getFirst().start().place());
            statement.setInt(3, starts.getLast().start().place());
            Set<Waiting> waiting = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    waiting.add(new Waiting(rows.getInt(1), rows.getInt(2)));
                }
            }
            return waiting;
        }
    }

    /** Cancels elements that wait or are held. */
    static Write<Optional<JobGroup>> cancelWaiting(JobId id, Places places) {
        Write<Optional<JobGroup>> waiting =
                move(id, places, GroupRows.MOVE, ElementState.WAITING, ElementState.CANCELLED);
        Write<Optional<JobGroup>> held = move(id, places, GroupRows.MOVE, ElementState.HELD, ElementState.CANCELLED);
        return batch -> {
            waiting.apply(batch);
            return held.apply(batch);
        };
    }

    /** Holds elements that wait. */
    static Write<Optional<JobGroup>> holdWaiting(JobId id, Places places) {
        return move(id, places, GroupRows.MOVE, ElementState.WAITING, ElementState.HELD);
    }

    /** Has elements that are held wait for their turn again. */
    static Write<Optional<JobGroup>> releaseHeld(JobId id, Places places) {
        return move(id, places, GroupRows.MOVE, ElementState.HELD, ElementState.WAITING);
    }

    /** Has elements that failed wait for a further attempt. */
    static Write<Optional<JobGroup>> retryFailed(JobId id, Places places) {
        return move(id, places, GroupRows.RETRY, ElementState.FAILED, ElementState.WAITING);
    }

    private static Write<Optional<JobGroup>> move(
            JobId id, Places places, String statementText, ElementState from, ElementState to) {
        return batch -> {
            batch.flush();
            Optional<JobGroup> found = batch.groups().find(id);
            if (found.isEmpty()) {
                return found;
            }
            PreparedStatement statement = batch.statements().get(statementText);
            statement.setString(1, to.name());
            Values.setId(statement, 2, id);
            statement.setInt(3, places.from());
            statement.setInt(4, places.to());
            statement.setString(5, from.name());
            int moved = statement.executeUpdate();
            if (moved == 0) {
                return found;
            }
            JobGroup group = found.get();
            group = group.withCounts(group.counts().plus(from, -moved).plus(to, moved));
            if (to == ElementState.WAITING) {
                group = group.withNextPlace(Math.min(group.nextPlace(), places.from()));
            }
            return written(batch, group);
        };
    }

    static Write<Optional<JobGroup>> change(JobId id, UnaryOperator<JobGroup> change) {
        return batch -> {
            batch.flush();
            Optional<JobGroup> found = batch.groups().find(id);
            return found.isEmpty() ? found : written(batch, change.apply(found.get()));
        };
    }

    private static Optional<JobGroup> written(Batch batch, JobGroup group) throws SQLException {
        batch.groups().put(group);
        batch.touch();
        batch.flush();
        return batch.groups().find(group.id());
    }
}
