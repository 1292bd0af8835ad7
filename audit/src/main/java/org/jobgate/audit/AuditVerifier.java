// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Finds out whether the records are as they were written: each link of the chain, its end, and the rows that are made of it. */
final class AuditVerifier {

    private AuditVerifier() {}

    /**
     * What was found.
     *
     * @param entries links that are as they were written, up to the fault if there is one
     * @param jobs rows that say what their entries say, up to the fault
     * @param end number and hash of the last link: who keeps this elsewhere can find out later whether all of it was written anew
     * @param fault what is not as it was written; absent where all is well
     */
    record Finding(
            long entries, long jobs, String end, @Nullable String fault) {}

    /** Looks at all records; takes some seconds for each million. */
    static Finding verify(AuditDatabase database, Path headFile) throws SQLException, IOException {
        // read first: what is written meanwhile only makes the chain longer
        String head = AuditLog.head(headFile);
        try (Connection reader = database.reader()) {
            Finding chain = chain(reader, head);
            if (chain.fault() == null) {
                return rows(database, reader, chain);
            }
            if (head != null || AuditLog.head(headFile) == null) {
                return chain;
            }
        }
        // the first entries were written between the two looks
        return verify(database, headFile);
    }

    private static Finding chain(Connection reader, @Nullable String head) throws SQLException {
        String base = AuditLog.state(reader, AuditPurge.BASE);
        long first = base == null ? 0 : Long.parseLong(base.substring(0, base.indexOf(' ')));
        long entries = first;
        String hash = base == null ? AuditEntry.BEGINNING : base.substring(base.indexOf(' ') + 1);
        String said = null;
        boolean isHeadThere = head == null;
        try (Statement statement = reader.createStatement();
                ResultSet found = statement.executeQuery("SELECT * FROM audit_entry ORDER BY number")) {
            while (found.next()) {
                long number = found.getLong("number");
                if (number != entries + 1) {
                    return new Finding(entries - first, 0, entries + " " + hash, missing(entries + 1, number - 1));
                }
                AuditEntry entry;
                try {
                    entry = AuditLog.entry(found);
                } catch (SQLException e) {
                    return new Finding(
                            entries - first,
                            0,
                            entries + " " + hash,
                            "Entry " + number + " cannot be read: " + e.getMessage());
                }
                if (!entry.follows(hash)) {
                    return new Finding(
                            entries - first,
                            0,
                            entries + " " + hash,
                            "Entry " + number + " (job " + entry.job() + ") is not as it was written.");
                }
                entries = number;
                hash = entry.hash();
                if (entry.kind() == AuditEntry.Kind.PURGED) {
                    Map<String, Object> purged = AuditRow.said(entry);
                    said = purged.get("up_to") + " " + purged.get("hash");
                }
                isHeadThere |= (number + " " + hash).equals(head);
            }
        }
        String end = entries + " " + hash;
        if (!Objects.equals(base, said)) {
            return new Finding(
                    entries - first,
                    0,
                    end,
                    "The beginning is missing: the records begin after entry " + first
                            + ", and their last purge did not leave them so.");
        }
        return new Finding(
                entries - first,
                0,
                end,
                isHeadThere
                        ? withoutHead(entries, head)
                        : "The end is missing, or all was written anew: the last entry that is known to have been written is "
                                + head + ", and the records end with " + end + ".");
    }

    /** Without the file that names the last record it cannot be told whether the end of the records was cut off. */
    private static @Nullable String withoutHead(long entries, @Nullable String head) {
        return entries == 0 || head != null
                ? null
                : "The file audit.head is missing, so it cannot be said whether the end of the records was cut off. If you have moved it"
                        + " away, restart the gateway: it writes a new one, and the records are compared with that from then on. If you"
                        + " have not, compare the last entry with the line that you keep elsewhere: the records end with entry "
                        + entries + ".";
    }

    private static String missing(long from, long to) {
        return from == to ? "Entry " + from + " is missing." : "Entries " + from + " to " + to + " are missing.";
    }

    private static Finding rows(AuditDatabase database, Connection reader, Finding chain) throws SQLException {
        long jobs = 0;
        try (Statement rows = reader.createStatement();
                Statement entries = reader.createStatement();
                ResultSet row = rows.executeQuery("SELECT * FROM audit_job ORDER BY job");
                ResultSet entry = entries.executeQuery(
                        "SELECT * FROM audit_entry WHERE kind NOT IN ('ACT', 'PURGED') ORDER BY job, number")) {
            Said said = Said.next(entry, entry.next());
            while (row.next()) {
                String job = row.getString("job");
                while (said != null && !said.isWhole() && said.job().compareTo(job) < 0) {
                    said = Said.next(entry, said.hasMore());
                }
                if (said == null || said.job().compareTo(job) > 0 || (said.job().equals(job) && !said.isWhole())) {
                    return with(chain, jobs, "The row of job " + job + " has no entry.");
                }
                if (!said.job().equals(job)) {
                    return with(chain, jobs, "The row of job " + said.job() + " is missing.");
                }
                String different = different(database, said.row(), AuditLog.row(row));
                if (different != null) {
                    return with(
                            chain,
                            jobs,
                            "The row of job " + job + " does not say what its entries say of " + different + ".");
                }
                jobs++;
                said = Said.next(entry, said.hasMore());
            }
            while (said != null && !said.isWhole()) {
                said = Said.next(entry, said.hasMore());
            }
            return said != null
                    ? with(chain, jobs, "The row of job " + said.job() + " is missing.")
                    : with(chain, jobs, sums(database, reader));
        } catch (JacksonException e) {
            return with(chain, jobs, "An entry is no JSON: " + e.getOriginalMessage());
        }
    }

    /** What is wrong with the sums of the jobs that are on record; absent where they are right. */
    private static @Nullable String sums(AuditDatabase database, Connection reader) throws SQLException {
        try (Statement statement = reader.createStatement()) {
            for (String difference : AuditSums.differences(database)) {
                try (ResultSet found = statement.executeQuery(difference)) {
                    if (found.next()) {
                        return "The sum of day " + LocalDate.ofEpochDay(found.getLong("day")) + " and owner "
                                + found.getString("subject") + " is not what the rows of jobs make.";
                    }
                }
            }
        }
        return null;
    }

    /**
     * What the entries of one job say.
     *
     * @param isWhole whether its beginning is there; of a job that was taken out the later entries stay until it is their turn, and it has no
     *     row
     * @param hasMore whether entries of other jobs follow
     */
    private record Said(String job, Map<String, Object> row, boolean isWhole, boolean hasMore) {

        /** What the records say of the next job, at whose first entry the result stands; absent at the end of the result. */
        static @Nullable Said next(ResultSet entry, boolean isThere) throws SQLException {
            if (!isThere) {
                return null;
            }
            String job = entry.getString("job");
            Map<String, Object> row = new LinkedHashMap<>();
            boolean isWhole = false;
            boolean hasMore = true;
            while (hasMore && entry.getString("job").equals(job)) {
                AuditEntry one = AuditLog.entry(entry);
                isWhole |= one.kind() == AuditEntry.Kind.CREATED || one.kind() == AuditEntry.Kind.CARRIED;
                AuditRow.add(row, one);
                hasMore = entry.next();
            }
            return new Said(job, row, isWhole, hasMore);
        }
    }

    private static Finding with(Finding chain, long jobs, @Nullable String fault) {
        return new Finding(chain.entries(), jobs, chain.end(), fault);
    }

    private static @Nullable String different(
            AuditDatabase database, Map<String, Object> said, Map<String, Object> row) {
        for (String column : AuditRow.COLUMNS) {
            if (!Objects.equals(text(database, said.get(column)), text(database, row.get(column)))) {
                return column;
            }
        }
        return null;
    }

    /** Numbers come back from the database in another class than from JSON. */
    private static @Nullable String text(AuditDatabase database, @Nullable Object value) {
        return value == null ? null : database.text(value.toString());
    }
}
