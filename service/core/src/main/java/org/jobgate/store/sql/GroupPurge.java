// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.job.JobId;

/** Forgets groups that are over, with their elements; the jobs of these are forgotten by {@link Purge}. */
record GroupPurge(Instant endedBefore, int limit) implements Write<Integer> {

    private static final String FIND = "SELECT id FROM job_group WHERE ended < ? ORDER BY ended LIMIT ?";

    private static final List<String> DELETIONS = List.of(
            "DELETE FROM group_element WHERE job_group = ?",
            "DELETE FROM door_record WHERE job = ?",
            "DELETE FROM job_group_template WHERE job_group = ?",
            "DELETE FROM job_group WHERE id = ?");

    @Override
    public Integer apply(Batch batch) throws SQLException {
        batch.flush();
        PreparedStatement statement = batch.statements().get(FIND);
        Values.setTime(statement, 1, endedBefore);
        statement.setInt(2, limit);
        List<JobId> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(Values.jobId(rows.getBytes(1)));
            }
        }
        if (ids.isEmpty()) {
            return 0;
        }
        for (String deletion : DELETIONS) {
            batch.statements().forEach(deletion, ids, (delete, id) -> Values.setId(delete, 1, id));
        }
        batch.groups().forget(ids);
        batch.touch();
        return ids.size();
    }
}
