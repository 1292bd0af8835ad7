// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.SubmissionKey;

/** Finds many rows by their keys with few questions. Stateless. */
final class Lookups {

    /** Few sizes make few different statements, so that each is prepared once. */
    private static final int[] CHUNKS = {500, 50, 1};

    /** How a statement comes to be: cached by the writer, made anew by a reader. */
    @FunctionalInterface
    interface Preparer {
        PreparedStatement prepare(String sql) throws SQLException;
    }

    /** What a key names, and the digest of what was asked for. */
    record StoredSubmission(JobId job, String digest) {}

    /** Those of the jobs that are live or finished. A job may move from one table to the other, and never back: so the live ones first. */
    Map<JobId, Job> jobs(Preparer preparer, Collection<JobId> ids) throws SQLException {
        Map<JobId, Job> found = new HashMap<>();
        collectJobs(preparer, JobRows.LIVE, List.copyOf(ids), found);
        List<JobId> missing = ids.stream().filter(id -> !found.containsKey(id)).toList();
        collectJobs(preparer, JobRows.FINISHED, missing, found);
        return found;
    }

    private void collectJobs(Preparer preparer, String table, List<JobId> ids, Map<JobId, Job> found)
            throws SQLException {
        for (List<JobId> chunk : chunks(ids)) {
            String sql = "SELECT " + JobRows.SELECTED + " FROM " + table + " WHERE id IN (?"
                    + ", ?".repeat(chunk.size() - 1) + ")";
            PreparedStatement statement = preparer.prepare(sql);
            for (int i = 0; i < chunk.size(); i++) {
                Values.setId(statement, i + 1, chunk.get(i));
            }
            try (ResultSet result = statement.executeQuery()) {
                JobRowReader reader = new JobRowReader(result);
                while (result.next()) {
                    Job job = reader.read();
                    found.put(job.id(), job);
                }
            }
        }
    }

    /** The stored texts of the descriptions of those of the jobs that there are. */
    Map<JobId, String> descriptions(Preparer preparer, Collection<JobId> ids) throws SQLException {
        Map<JobId, String> found = new HashMap<>();
        for (List<JobId> chunk : chunks(List.copyOf(ids))) {
            PreparedStatement statement = preparer.prepare(
                    "SELECT job, body FROM job_description WHERE job IN (?" + ", ?".repeat(chunk.size() - 1) + ")");
            for (int i = 0; i < chunk.size(); i++) {
                Values.setId(statement, i + 1, chunk.get(i));
            }
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    found.put(Values.jobId(result.getBytes(1)), result.getString(2));
                }
            }
        }
        return found;
    }

    Map<SubmissionKey, StoredSubmission> submissions(Preparer preparer, Collection<SubmissionKey> keys)
            throws SQLException {
        Map<SubmissionKey, StoredSubmission> found = new HashMap<>();
        for (List<SubmissionKey> chunk : chunks(List.copyOf(keys))) {
            String sql =
                    "SELECT subject, door, client_key, job, digest FROM submission WHERE (subject, door, client_key) IN (VALUES (?, ?, ?)"
                            + ", (?, ?, ?)".repeat(chunk.size() - 1) + ")";
            PreparedStatement statement = preparer.prepare(sql);
            for (int i = 0; i < chunk.size(); i++) {
                statement.setString(3 * i + 1, chunk.get(i).subject());
                statement.setString(3 * i + 2, chunk.get(i).door());
                statement.setString(3 * i + 3, chunk.get(i).clientId());
            }
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    found.put(
                            new SubmissionKey(result.getString(1), result.getString(2), result.getString(3)),
                            new StoredSubmission(
                                    Values.jobId(result.getBytes(4)),
                                    HexFormat.of().formatHex(result.getBytes(5))));
                }
            }
        }
        return found;
    }

    /** The greatest number of a change of one of the jobs; 0 where there is none. */
    static long newestChange(Preparer preparer, List<JobId> ids) throws SQLException {
        long newest = 0;
        for (List<JobId> chunk : chunks(ids)) {
            PreparedStatement statement = preparer.prepare(
                    "SELECT max(sequence) FROM change WHERE job IN (?" + ", ?".repeat(chunk.size() - 1) + ")");
            for (int i = 0; i < chunk.size(); i++) {
                Values.setId(statement, i + 1, chunk.get(i));
            }
            try (ResultSet row = statement.executeQuery()) {
                newest = Math.max(newest, row.next() ? row.getLong(1) : 0);
            }
        }
        return newest;
    }

    /** For a reader's connection: the caller must close every statement. */
    static Preparer fresh(Connection connection, List<PreparedStatement> opened) {
        return sql -> {
            PreparedStatement statement = connection.prepareStatement(sql);
            opened.add(statement);
            return statement;
        };
    }

    private static <T> List<List<T>> chunks(List<T> values) {
        List<List<T>> chunks = new ArrayList<>();
        int from = 0;
        for (int size : CHUNKS) {
            while (values.size() - from >= size) {
                chunks.add(values.subList(from, from + size));
                from += size;
            }
        }
        return chunks;
    }
}
