// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.postgres;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The rows of some tables in PostgreSQL in one file for a backup: of one moment, as PostgreSQL's COPY writes them, packed by gzip. Whoever writes goes
 * on while they are copied. The file can be put into any database of PostgreSQL 13 or later.
 */
public final class PostgresCopy {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String VERSION = "version ";
    private static final String MONTH = "month ";
    private static final byte[] END = {'\\', '.'};
    private static final int BUFFER = 1 << 16;
    private static final Pattern TABLE_LINE = Pattern.compile("table ([a-z_]+) ([a-z_0-9]+(?:,[a-z_0-9]+)*)");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    /** The months for which tables have parts. */
    private static final String PARTS = "SELECT DISTINCT substring(c.relname FROM 'y([0-9]{4})m[0-9]{2}$') || '-' ||"
            + " substring(c.relname FROM 'm([0-9]{2})$') FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid"
            + " JOIN pg_class AS p ON p.oid = i.inhparent WHERE p.relnamespace = current_schema()::regnamespace"
            + " AND p.relname = ANY (?) AND c.relname ~ '_y[0-9]{4}m[0-9]{2}$' ORDER BY 1";

    private static final String COLUMNS = "SELECT string_agg(attname, ',' ORDER BY attnum) FROM pg_attribute"
            + " WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped";

    /** Views first; and parts by themselves, as a table does not take its parts along. */
    private static final String RELATIONS =
            "SELECT CASE relkind WHEN 'v' THEN 'VIEW ' ELSE 'TABLE ' END || quote_ident(relname)"
                    + " FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v') AND (relname"
                    + " = ANY (?) OR oid IN (SELECT inhrelid FROM pg_inherits JOIN pg_class AS p ON p.oid = inhparent WHERE"
                    + " p.relnamespace = current_schema()::regnamespace AND p.relname = ANY (?))) ORDER BY relkind = 'v' DESC, relname";

    private PostgresCopy() {}

    /**
     * What belongs together.
     *
     * @param name of small letters: begins the name of the schema to which what is there is moved
     * @param tables whose rows are copied, in the order in which they are put back
     * @param history the table in which Flyway keeps the version of these tables
     * @param views that are made of them
     */
    public record Tables(String name, List<String> tables, String history, List<String> views) {
        public Tables {
            requireNonNull(name, "name is null");
            requireNonNull(history, "history is null");
            tables = List.copyOf(tables);
            views = List.copyOf(views);
        }

        private String firstLine() {
            return "jobgate rows 1 " + name;
        }

        private String locked() {
            return String.join(", ", tables) + ", " + history;
        }

        private String[] all() {
            List<String> all = new ArrayList<>(tables);
            all.add(history);
            all.addAll(views);
            return all.toArray(String[]::new);
        }
    }

    /** What makes the tables anew. */
    @FunctionalInterface
    public interface Maker {
        /**
         * Makes them in a schema that does not have them.
         *
         * @param version as Flyway numbers it: they are to be as that version of Jobgate had them which made the copy
         */
        void make(String version);

        /** Makes the parts of tables for a month. */
        default void month(YearMonth month) throws SQLException {
            throw new SQLException("these tables have no parts for months");
        }
    }

    /**
     * Makes the copy.
     *
     * @param target must not be there yet; it is made for its owner alone
     * @throws IOException if it cannot be made; the file may be there then, and is of no use
     * @throws SQLException if the database cannot be read
     */
    public static void make(PGSimpleDataSource source, Tables tables, Path target) throws IOException, SQLException {
        Files.createFile(target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        source.setSocketTimeout(Math.toIntExact(PATIENCE.toSeconds()));
        try (Connection reader = source.getConnection();
                OutputStream file = Files.newOutputStream(target, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
                OutputStream out = new GZIPOutputStream(new BufferedOutputStream(file, BUFFER), BUFFER)) {
            reader.setAutoCommit(false);
            reader.setReadOnly(true);
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            // before the first query, at which the copy's moment is fixed: a purge that drops a part of a table after
            // that moment would take rows from the copy
            execute(reader, "LOCK TABLE " + tables.locked() + " IN ACCESS SHARE MODE");
            line(out, tables.firstLine());
            // the names of tables are those of the code
            String version = texts(
                            reader,
                            "SELECT version FROM " + tables.history()
                                    + " WHERE success ORDER BY installed_rank DESC LIMIT 1")
                    .getFirst();
            line(out, VERSION + version);
            for (String month : texts(reader, PARTS, tables.all())) {
                line(out, MONTH + month);
            }
            CopyManager copies = reader.unwrap(PGConnection.class).getCopyAPI();
            for (String table : tables.tables()) {
                String columns = columns(reader, table);
                line(out, "table " + table + " " + columns);
                copies.copyOut("COPY (SELECT " + columns + " FROM " + table + ") TO STDOUT", out);
                out.write(END);
                out.write('\n');
            }
        }
    }

    /**
     * Puts a copy into the place of what is there, which is moved into a schema of its own, never deleted.
     *
     * @param writer holds what keeps every gateway out, and commits when told to
     * @param now names that schema
     * @return what was done, in lines for people
     * @throws IOException if the file is no such copy
     * @throws SQLException if the database refuses; in both cases some may be done, and doing it again begins anew
     */
    public static List<String> restore(Connection writer, Tables tables, Maker maker, Path copy, Instant now)
            throws IOException, SQLException {
        List<String> lines = new ArrayList<>();
        writer.setNetworkTimeout(Runnable::run, Math.toIntExact(PATIENCE.toMillis()));
        try (InputStream in =
                new BufferedInputStream(new GZIPInputStream(Files.newInputStream(copy), BUFFER), BUFFER)) {
            if (!tables.firstLine().equals(text(in))) {
                throw new IOException(copy + " is no copy of " + tables.name() + " that this version can read");
            }
            String version = text(in);
            if (version == null
                    || !version.startsWith(VERSION)
                    || !NUMBER.matcher(version.substring(VERSION.length())).matches()) {
                throw new IOException(copy + " does not say of which version it is");
            }
            moveAside(writer, tables, tables.name() + "_before_restore_" + now.getEpochSecond(), lines);
            maker.make(version.substring(VERSION.length()));
            load(writer, tables, maker, in, copy);
            writer.commit();
            return lines;
        }
    }

    private static void moveAside(Connection writer, Tables tables, String schema, List<String> lines)
            throws SQLException {
        List<String> relations = texts(writer, RELATIONS, tables.all(), tables.all());
        if (!relations.isEmpty()) {
            execute(writer, "CREATE SCHEMA " + schema);
            for (String relation : relations) {
                execute(writer, "ALTER " + relation + " SET SCHEMA " + schema);
            }
            lines.add("The tables of " + tables.name() + " that were there were moved to the schema " + schema + ".");
        }
        writer.commit();
    }

    private static void load(Connection writer, Tables tables, Maker maker, InputStream in, Path copy)
            throws SQLException, IOException {
        CopyManager copies = writer.unwrap(PGConnection.class).getCopyAPI();
        List<String> left = new ArrayList<>(tables.tables());
        for (String line = text(in); line != null; line = text(in)) {
            Matcher table = TABLE_LINE.matcher(line);
            if (line.startsWith(MONTH)) {
                try {
                    maker.month(YearMonth.parse(line.substring(MONTH.length())));
                } catch (DateTimeException e) {
                    throw new IOException(copy + " names no month: " + line, e);
                }
            } else if (table.matches() && left.remove(table.group(1))) {
                // what a new store begins with is in the copy, too
                execute(writer, "DELETE FROM " + table.group(1));
                rows(copies.copyIn("COPY " + table.group(1) + " (" + table.group(2) + ") FROM STDIN"), in, copy);
            } else {
                throw new IOException(copy + " has a line that is none of its own");
            }
        }
        if (!left.isEmpty()) {
            throw new IOException(copy + " is cut off: it has no " + left);
        }
    }

    private static void rows(CopyIn into, InputStream in, Path copy) throws SQLException, IOException {
        try {
            for (byte[] row = line(in); ; row = line(in)) {
                if (row == null) {
                    throw new IOException(copy + " is cut off");
                }
                if (Arrays.equals(row, END)) {
                    into.endCopy();
                    return;
                }
                into.writeToCopy(row, 0, row.length);
                into.writeToCopy(new byte[] {'\n'}, 0, 1);
            }
        } finally {
            if (into.isActive()) {
                into.cancelCopy();
            }
        }
    }

    private static String columns(Connection reader, String table) throws SQLException {
        try (PreparedStatement select = reader.prepareStatement(COLUMNS)) {
            select.setString(1, table);
            try (ResultSet found = select.executeQuery()) {
                found.next();
                String columns = found.getString(1);
                if (columns == null) {
                    throw new SQLException("there is no table " + table);
                }
                return columns;
            }
        }
    }

    private static List<String> texts(Connection connection, String sql, String[]... values) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                select.setArray(i + 1, connection.createArrayOf("text", values[i]));
            }
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    texts.add(found.getString(1));
                }
            }
        }
        return texts;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void line(OutputStream out, String text) throws IOException {
        out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String text(InputStream in) throws IOException {
        byte[] line = line(in);
        return line == null ? null : new String(line, StandardCharsets.UTF_8);
    }

    /** The next line, without its end; absent at the end of the file. */
    private static byte @Nullable [] line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return line.toByteArray();
            }
            line.write(next);
        }
        if (line.size() > 0) {
            throw new IOException("the copy is cut off within a line");
        }
        return null;
    }
}
