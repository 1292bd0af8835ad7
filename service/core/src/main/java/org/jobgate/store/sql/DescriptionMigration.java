// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jobgate.job.JobId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rewrites the job descriptions that earlier builds stored in an older form, and their digests, so that a client who repeats a submission
 * of before still gets its job. Reads page by page, and only rows in which one of the given words stands.
 */
abstract class DescriptionMigration implements JavaMigration {

    private static final int PAGE = 500;

    private final MigrationVersion version;
    private final String description;
    private final List<String> words;
    private final StoreJson json = new StoreJson();
    private final JobDescriptionCodec codec = new JobDescriptionCodec();

    /**
     * @param version its number among the scripts
     * @param words the names of JSON members or texts that only an older form has, at least one
     */
    DescriptionMigration(int version, String description, List<String> words) {
        this.version = MigrationVersion.fromVersion(Integer.toString(version));
        this.description = requireNonNull(description, "description is null");
        this.words = List.copyOf(words);
    }

    /** Changes one description, which is no multi-job's own; its members have the names of the record's components. */
    abstract void rewrite(ObjectNode job);

    @Override
    public MigrationVersion getVersion() {
        return version;
    }

    @Override
    public String getDescription() {
        return description;
    }

    @Override
    public @Nullable Integer getChecksum() {
        return null;
    }

    @Override
    public boolean canExecuteInTransaction() {
        return true;
    }

    private record Row(JobId job, String body) {}

    @Override
    public void migrate(Context context) throws SQLException {
        Connection connection = context.getConnection();
        List<Row> rows = page(connection, null);
        while (!rows.isEmpty()) {
            rewrite(connection, rows);
            rows = page(connection, rows.getLast().job());
        }
    }

    private List<Row> page(Connection connection, @Nullable JobId after) throws SQLException {
        String sql = "SELECT job, body FROM job_description WHERE job > ? AND (body LIKE ?"
                + " OR body LIKE ?".repeat(words.size() - 1) + ") ORDER BY job LIMIT " + PAGE;
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBytes(1, after == null ? new byte[0] : Values.bytes(after));
            for (int i = 0; i < words.size(); i++) {
                statement.setString(i + 2, "%\"" + words.get(i) + "\"%");
            }
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(new Row(Values.jobId(found.getBytes(1)), found.getString(2)));
                }
            }
        }
        return rows;
    }

    private void rewrite(Connection connection, List<Row> rows) throws SQLException {
        try (PreparedStatement body = connection.prepareStatement("UPDATE job_description SET body = ? WHERE job = ?");
                PreparedStatement digest =
                        connection.prepareStatement("UPDATE submission SET digest = ? WHERE job = ?")) {
            for (Row row : rows) {
                JobDescriptionCodec.Encoded rewritten = rewritten(row.body());
                body.setString(1, rewritten.json());
                Values.setId(body, 2, row.job());
                body.addBatch();
                digest.setBytes(1, HexFormat.of().parseHex(rewritten.digest()));
                Values.setId(digest, 2, row.job());
                digest.addBatch();
            }
            body.executeBatch();
            digest.executeBatch();
        }
    }

    private JobDescriptionCodec.Encoded rewritten(String body) {
        ObjectNode job = json.tree(body);
        JsonNode subJobs = job.get("subJobs");
        if (subJobs == null) {
            rewrite(job);
        } else {
            subJobs.forEach(sub -> rewrite((ObjectNode) sub.get("description")));
        }
        return codec.encode(codec.decode(job.toString()));
    }
}
