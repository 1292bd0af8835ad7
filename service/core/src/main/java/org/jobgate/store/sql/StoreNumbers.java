// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The rows of {@code store_number}. */
final class StoreNumbers {

    static final String READ = "SELECT number FROM store_number WHERE name = ?";

    private static final String SET = "INSERT INTO store_number (name, number) VALUES (?, ?)"
            + " ON CONFLICT (name) DO UPDATE SET number ="
            + " CASE WHEN excluded.number > store_number.number THEN excluded.number ELSE store_number.number END";

    private StoreNumbers() {}

    /** Sets the number, which only ever rises: a lower one changes nothing. */
    static void raise(Batch batch, String name, long number) throws SQLException {
        PreparedStatement statement = batch.statements().get(SET);
        statement.setString(1, name);
        statement.setLong(2, number);
        statement.executeUpdate();
        batch.touch();
    }

    /** Counts the number up by one and answers it. */
    static long next(Batch batch, String name) throws SQLException {
        PreparedStatement statement = batch.statements().get(READ);
        statement.setString(1, name);
        long next = 1;
        try (ResultSet row = statement.executeQuery()) {
            if (row.next()) {
                next = row.getLong(1) + 1;
            }
        }
        raise(batch, name, next);
        return next;
    }
}
