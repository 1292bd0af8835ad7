// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of the large tables, one for each month: of entries by their time, of jobs by their ids, which begin with the time at which they were
 * made. What belongs to no part that is there (a clock that was wrong, records from before) goes to a part for the rest.
 */
final class PostgresMonths {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresMonths.class);

    private static final List<String> TABLES = List.of("audit_entry", "audit_job");

    /** An empty part is dropped when its month ended this long ago. */
    private static final int MONTHS_KEPT_EMPTY = 2;

    private static final String OLD_PARTS =
            "SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid"
                    + " WHERE i.inhparent = to_regclass(?) AND c.relname ~ '_y[0-9]{4}m[0-9]{2}$' AND right(c.relname, 8) < ?";

    /**
     * To make or drop a part, its table is locked against everybody. Who reads at the moment (a backup does so for minutes) is not waited for
     * long: whoever came after would wait behind, and so would the entries that are to be written.
     */
    private static final String PATIENCE = "SET LOCAL lock_timeout = '200ms'";

    private static final String CHECK_VIOLATION = "23514";
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private YearMonth made = YearMonth.of(1970, 1);

    /**
     * Makes the parts of this month and the next, and lets old ones go that are empty. Each in a transaction of its own; what is in use at the
     * moment has to wait for the next time.
     */
    void keepUp(Connection writer, long now) throws SQLException {
        YearMonth month = YearMonth.from(Instant.ofEpochMilli(now).atOffset(ZoneOffset.UTC));
        if (month.plusMonths(1).isAfter(made) && made(writer, month) && made(writer, month.plusMonths(1))) {
            made = month.plusMonths(1);
        }
        for (String table : TABLES) {
            for (String part : old(writer, table, month.minusMonths(MONTHS_KEPT_EMPTY))) {
                letGoIfEmpty(writer, part);
            }
        }
    }

    /** Makes the parts of a month, unless somebody uses the tables. */
    private static boolean made(Connection writer, YearMonth month) throws SQLException {
        try {
            make(writer, month);
            return true;
        } catch (SQLException e) {
            if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                throw e;
            }
            LOG.debug("The parts of the month {} cannot be made now", month, e);
            return false;
        }
    }

    /**
     * Makes the parts of a month, where they are not there yet.
     *
     * @throws SQLException also where somebody uses the tables, and goes on doing so for a moment
     */
    static void make(Connection writer, YearMonth month) throws SQLException {
        long from = millis(month);
        long to = millis(month.plusMonths(1));
        make(writer, part("audit_entry", month), "audit_entry", Long.toString(from), Long.toString(to));
        make(writer, part("audit_job", month), "audit_job", "'" + leastId(from) + "'", "'" + leastId(to) + "'");
    }

    private static void make(Connection writer, String part, String table, String from, String to) throws SQLException {
        // names and bounds are made of numbers only
        try (Statement statement = writer.createStatement()) {
            statement.execute(PATIENCE);
            statement.execute("CREATE TABLE IF NOT EXISTS " + part + " PARTITION OF " + table + " FOR VALUES FROM ("
                    + from + ") TO (" + to + ")");
            writer.commit();
        } catch (SQLException e) {
            writer.rollback();
            if (!CHECK_VIOLATION.equals(e.getSQLState())) {
                throw e;
            }
            LOG.warn(
                    "The audit records have entries of the month of {} already, written when the clock was ahead: those of this month stay"
                            + " in the part for the rest",
                    part);
        }
    }

    private static List<String> old(Connection writer, String table, YearMonth before) throws SQLException {
        List<String> parts = new ArrayList<>();
        try (PreparedStatement select = writer.prepareStatement(OLD_PARTS)) {
            select.setString(1, table);
            select.setString(2, suffix(before));
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    parts.add(found.getString(1));
                }
            }
        }
        writer.rollback();
        return parts;
    }

    private static void letGoIfEmpty(Connection writer, String part) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            try (ResultSet any = statement.executeQuery("SELECT EXISTS (SELECT 1 FROM " + part + ")")) {
                any.next();
                if (any.getBoolean(1)) {
                    writer.rollback();
                    return;
                }
            }
            statement.execute(PATIENCE);
            statement.execute("DROP TABLE " + part);
            writer.commit();
        } catch (SQLException e) {
            writer.rollback();
            if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    private static long millis(YearMonth month) {
        return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }

    /** The text that is not above the ids of this moment and above those of before. */
    private static String leastId(long millis) {
        return String.format(Locale.ROOT, "%08x-%04x", millis >>> 16, millis & 0xFFFF);
    }

    private static String suffix(YearMonth month) {
        return String.format(Locale.ROOT, "y%04dm%02d", month.getYear(), month.getMonthValue());
    }

    private static String part(String table, YearMonth month) {
        return table + "_" + suffix(month);
    }
}
