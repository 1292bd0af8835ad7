// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jobgate.job.JobId;

/**
 * Forgets finished jobs with all that belongs to them.
 *
 * @param kept jobs that are not forgotten
 */
record Purge(Instant endedBefore, int limit, Set<JobId> kept) implements Write<Integer> {

    Purge {
        kept = Set.copyOf(kept);
    }

    /**
     * The number under which the newest change is kept that a purge has removed: no later one is missing from the stream, and its
     * sequence number is never given again.
     */
    static final String PURGED = "purged";

    private static final String FIND = "SELECT id FROM finished_job WHERE ended < ? ORDER BY ended, id LIMIT ?";

    /** The key first: it is found through the finished job. */
    private static final List<String> DELETIONS = List.of(
            "DELETE FROM submission WHERE (subject, door, client_key) IN"
                    + " (SELECT subject, door, client_key FROM finished_job WHERE id = ?)",
            "DELETE FROM job_description WHERE job = ?",
            "DELETE FROM change WHERE job = ?",
            "DELETE FROM door_record WHERE job = ?",
            "DELETE FROM finished_job WHERE id = ?");

    @Override
    public Integer apply(Batch batch) throws SQLException {
        batch.flush();
        List<JobId> ids = find(batch);
        if (ids.isEmpty()) {
            return 0;
        }
        long newest = Lookups.newestChange(batch.statements()::get, ids);
        for (String deletion : DELETIONS) {
            batch.statements().forEach(deletion, ids, (statement, id) -> Values.setId(statement, 1, id));
        }
        StoreNumbers.raise(batch, PURGED, newest);
        Set<JobId> gone = new HashSet<>(ids);
        batch.forgetJobs(gone);
        batch.onCommit(ring -> ring.forget(gone, newest));
        return ids.size();
    }

    private List<JobId> find(Batch batch) throws SQLException {
        PreparedStatement statement = batch.statements().get(FIND);
        Values.setTime(statement, 1, endedBefore);
        statement.setInt(
                2, limit + kept.size()); // enough to find the wanted number although none of the kept ones counts
        List<JobId> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next() && ids.size() < limit) {
                JobId id = Values.jobId(rows.getBytes(1));
                if (!kept.contains(id)) {
                    ids.add(id);
                }
            }
        }
        return ids;
    }
}
