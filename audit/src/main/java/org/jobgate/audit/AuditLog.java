// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes entries at the end of the chain. What one call writes, the rows made of it and the place in the change stream are one transaction,
 * so that a change is recorded once, whenever the service dies. One thread at a time.
 *
 * <p>The last entry's number and hash stand in a file beside the database too: of a database alone nobody could say whether its end was
 * cut off. The file is written after the transaction, so it may be behind it, never before. If what it says is not in the chain when the
 * service starts, the file stays as it is: to write it anew would hide that the end was cut off while the service was down.
 */
final class AuditLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    private static final String CURSOR = "changes";

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18} ");
    private static final long UPKEEP_MILLIS = 60_000;

    private final AuditDatabase database;
    private final Path headFile;
    private @Nullable Connection connection;
    private volatile long number;
    private volatile long base;
    private String hash = AuditEntry.BEGINNING;
    private long cursor;

    /** Milliseconds since 1970. */
    private long nextUpkeep;

    /** What the file of the end says, once it is known to be in the chain. */
    private @Nullable String saved;

    private volatile @Nullable String lost;

    AuditLog(AuditDatabase database, Path headFile) {
        this.database = requireNonNull(database, "database is null");
        this.headFile = requireNonNull(headFile, "headFile is null");
    }

    /** Something to be written. */
    record News(long change, String job, long at, AuditEntry.Kind kind, AuditRow.Said said) {

        /** With the body as it is written. */
        News(long change, String job, long at, AuditEntry.Kind kind, String body) {
            this(change, job, at, kind, AuditRow.Said.of(body));
        }
    }

    /** How many entries there are. */
    long entries() {
        return number - base;
    }

    /** How far the change stream has been recorded. */
    long cursor() throws SQLException {
        open();
        return cursor;
    }

    /** Whether a row of the job is there already. */
    boolean knows(String job) throws SQLException {
        return known(List.of(job)).contains(job);
    }

    /** Those of these jobs that have a row already. */
    Set<String> known(Collection<String> jobs) throws SQLException {
        Set<String> known = new HashSet<>();
        AuditBatch.find(open(), "job", jobs, found -> known.add(found.getString(1)));
        return known;
    }

    private void append(AuditBatch batch, News one) throws SQLException {
        AuditEntry entry = AuditEntry.after(
                hash,
                number + 1,
                one.change(),
                one.job(),
                one.at(),
                one.kind(),
                one.said().body());
        batch.add(entry, one.said());
        number = entry.number();
        hash = entry.hash();
    }

    /** Writes what is new, and that the change stream is recorded up to here; all of it or, with an exception, nothing. */
    void write(List<News> news, long upTo) throws SQLException {
        Connection writer = open();
        try (AuditBatch batch = new AuditBatch(database, writer)) {
            batch.look(news);
            for (News one : news) {
                append(batch, one);
            }
            batch.send();
            saveCursor(writer, upTo);
            writer.commit();
            cursor = upTo;
        } catch (SQLException | RuntimeException e) {
            // what was counted on is read again from what is on disk
            close();
            throw e;
        }
    }

    /**
     * Takes some of what is too old off the chain, in a short transaction.
     *
     * @param now milliseconds since 1970
     * @return whether there may be more to take off
     */
    boolean purge(AuditKeeping keeping, long now) throws SQLException {
        Connection writer = open();
        String kept = saved;
        if (kept == null) {
            return false; // it is not known yet whether the end is there
        }
        try (AuditBatch batch = new AuditBatch(database, writer)) {
            AuditPurge purge = new AuditPurge(writer, keeping, now, base, batch.sums());
            // the end that stands beside the database must stay in the chain
            AuditPurge.Cut cut = purge.next(Long.parseLong(kept.substring(0, kept.indexOf(' '))) - 1);
            if (cut == null) {
                writer.rollback();
                return false;
            }
            for (News one : purge.take(cut, cursor)) {
                append(batch, one);
            }
            batch.send();
            saveState(writer, AuditPurge.BASE, cut.upTo() + " " + cut.hash());
            writer.commit();
            base = cut.upTo();
            return true;
        } catch (SQLException | RuntimeException e) {
            // what was counted on is read again from what is on disk
            close();
            throw e;
        }
    }

    /** Keeps the end of the chain in a place of its own, unless that names an end which the chain does not have. */
    void saveHead() throws IOException, SQLException {
        String end = number + " " + hash;
        if (lost != null || end.equals(saved)) {
            return;
        }
        if (saved == null) {
            String before = head(headFile);
            if (before != null && !hasEnd(before)) {
                lost = before;
                LOG.error(
                        "The audit records do not have the entry that was their last one when the service ran before: {}. Their end was"
                                + " cut off, or all was written anew. Jobs are recorded on; {} stays as it is, so that \"jobgate audit"
                                + " verify\" shows it. When you know what happened, move that file away and restart.",
                        before,
                        headFile);
                return;
            }
        }
        if (number == 0) {
            return;
        }
        if (saved == null && head(headFile) == null) {
            // the first entries of all; or who moved the file away says that the rows are right as they are
            AuditSums.makeAnew(database, open());
        }
        Path next = headFile.resolveSibling(headFile.getFileName() + ".new");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, end + "\n", StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        Files.move(next, headFile, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        saved = end;
    }

    /** The last entry of an earlier run that the chain does not have any more; absent where all is well. */
    @Nullable
    String lost() {
        return lost;
    }

    private boolean hasEnd(String end) throws SQLException {
        try (PreparedStatement statement =
                open().prepareStatement("SELECT 1 FROM audit_entry WHERE number = ? AND hash = ?")) {
            int blank = end.indexOf(' ');
            if (!NUMBER.matcher(end).lookingAt()) {
                return false;
            }
            statement.setLong(1, Long.parseLong(end.substring(0, blank)));
            statement.setString(2, end.substring(blank + 1));
            try (ResultSet found = statement.executeQuery()) {
                return found.next();
            }
        }
    }

    /** The end that was kept last: its number, a blank, its hash. Absent before there was one. */
    static @Nullable String head(Path headFile) throws IOException {
        try {
            // bytes that are no text either are an end that the chain does not have
            return Files.readString(headFile, StandardCharsets.ISO_8859_1).strip();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** What the database needs from time to time. */
    void keepUp(long now) throws SQLException {
        if (now >= nextUpkeep) {
            database.keepUp(open(), now);
            nextUpkeep = now + UPKEEP_MILLIS;
        }
    }

    private Connection open() throws SQLException {
        if (connection != null) {
            return connection;
        }
        Connection opened = database.writer();
        try (PreparedStatement last =
                        opened.prepareStatement("SELECT number, hash FROM audit_entry ORDER BY number DESC LIMIT 1");
                ResultSet end = last.executeQuery()) {
            boolean isThere = end.next();
            number = isThere ? end.getLong(1) : 0;
            hash = isThere ? end.getString(2) : AuditEntry.BEGINNING;
            String place = state(opened, CURSOR);
            cursor = place == null ? 0 : Long.parseLong(place);
            String begin = state(opened, AuditPurge.BASE);
            base = begin == null ? 0 : Long.parseLong(begin.substring(0, begin.indexOf(' ')));
        } catch (SQLException | RuntimeException e) {
            opened.close();
            throw e;
        }
        connection = opened;
        return opened;
    }

    private static void saveCursor(Connection writer, long upTo) throws SQLException {
        saveState(writer, CURSOR, Long.toString(upTo));
    }

    /** Something that the records keep of themselves; absent where it was never saved. */
    static @Nullable String state(Connection connection, String name) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT value FROM audit_state WHERE name = ?")) {
            select.setString(1, name);
            try (ResultSet found = select.executeQuery()) {
                return found.next() ? found.getString(1) : null;
            }
        }
    }

    static void saveState(Connection writer, String name, String value) throws SQLException {
        try (PreparedStatement statement = writer.prepareStatement(
                "INSERT INTO audit_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")) {
            statement.setString(1, name);
            statement.setString(2, value);
            statement.executeUpdate();
        }
    }

    /** The columns of a row that have a value; numbers are {@link Long}. */
    static Map<String, Object> row(ResultSet found) throws SQLException {
        return row(found, AuditRow.COLUMNS);
    }

    static Map<String, Object> row(ResultSet found, List<String> columns) throws SQLException {
        Map<String, Object> row = new LinkedHashMap<>();
        for (String column : columns) {
            Object value = found.getObject(column);
            if (value != null) {
                row.put(column, value instanceof Number number ? Long.valueOf(number.longValue()) : value);
            }
        }
        return row;
    }

    static AuditEntry entry(ResultSet found) throws SQLException {
        return new AuditEntry(
                found.getLong("number"),
                found.getLong("change"),
                found.getString("job"),
                found.getLong("at"),
                EnumSet.allOf(AuditEntry.Kind.class).stream()
                        .filter(kind -> kind.name().equals(kindOf(found)))
                        .findFirst()
                        .orElseThrow(() -> new SQLException("the kind " + kindOf(found) + " is unknown")),
                found.getString("body"),
                found.getString("hash"));
    }

    private static String kindOf(ResultSet found) {
        try {
            return found.getString("kind");
        } catch (SQLException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    /** The next write opens it again. */
    @Override
    public void close() throws SQLException {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }
}
