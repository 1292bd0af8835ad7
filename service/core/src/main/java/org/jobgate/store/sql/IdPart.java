// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import org.jobgate.job.JobId;

/**
 * The search for jobs by the beginning or the end of their ids. The beginning is found by the index; for the end all ids are read, of which
 * the database compares whole bytes.
 */
final class IdPart {

    private static final int DIGITS = 32;

    /** Ids whose whole bytes fit and whose half byte is not looked at yet: one digit more divides them by sixteen. */
    private static final int MAX_UNSURE = 1_000;

    private static final String EACH =
            "SELECT id FROM %s WHERE (id >= ? AND id <= ?) OR substr(id, ?) = ? ORDER BY id DESC LIMIT " + MAX_UNSURE;
    private static final String TEXT =
            "SELECT * FROM (" + EACH.formatted(JobRows.LIVE) + ") AS live UNION ALL SELECT * FROM ("
                    + EACH.formatted(JobRows.FINISHED) + ") AS finished ORDER BY id DESC";

    private final String digits;

    /** @param digits 4 to 32 small hexadecimal digits */
    IdPart(String digits) {
        if (!digits.matches("[0-9a-f]{4,32}")) {
            throw new IllegalArgumentException("not 4 to 32 hexadecimal digits: " + digits);
        }
        this.digits = digits;
    }

    /** Newest first. */
    List<JobId> find(JobReads reads, int limit) {
        return reads.rows(TEXT, this::bind, row -> Values.jobId(row.getBytes(1))).stream()
                .filter(this::fits)
                .limit(limit)
                .toList();
    }

    private void bind(PreparedStatement statement) throws SQLException {
        HexFormat hex = HexFormat.of();
        String end = digits.substring(digits.length() % 2);
        for (int table = 0; table < 2; table++) {
            statement.setBytes(table * 4 + 1, hex.parseHex(padded("0")));
            statement.setBytes(table * 4 + 2, hex.parseHex(padded("f")));
            statement.setInt(table * 4 + 3, (DIGITS - end.length()) / 2 + 1);
            statement.setBytes(table * 4 + 4, hex.parseHex(end));
        }
    }

    private String padded(String digit) {
        return digits + digit.repeat(DIGITS - digits.length());
    }

    private boolean fits(JobId id) {
        String text = id.toString().replace("-", "");
        return text.startsWith(digits) || text.endsWith(digits);
    }
}
