// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The record of what happened to each job and when. */
final class Steps {

    private static final int DETAIL_MAX = 1_000;

    private Steps() {}

    /** @param at milliseconds since 1970 */
    static void write(Connection it, String job, int attempt, long at, String step, @Nullable String detail)
            throws SQLException {
        try (PreparedStatement insert = it.prepareStatement("INSERT INTO step VALUES (?, ?, ?, ?, ?)")) {
            insert.setString(1, job);
            insert.setInt(2, attempt);
            insert.setLong(3, at);
            insert.setString(4, step);
            insert.setString(5, shortened(detail));
            insert.executeUpdate();
        }
    }

    static @Nullable String shortened(@Nullable String text) {
        return text == null || text.length() <= DETAIL_MAX ? text : text.substring(0, DETAIL_MAX) + "...";
    }
}
