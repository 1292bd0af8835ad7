// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;

/** Copies an SQLite database as it is at one moment, by SQLite's online backup, while others write to it and do not wait. */
public final class SqliteCopy {

    private static final int BUSY_MILLIS = 100;
    private static final int BUSY_TIMES = 300;
    private static final int ALL_PAGES = -1;

    private SqliteCopy() {}

    /**
     * Makes a copy that is whole, in one file of mode 0600, on disk, and looked through by SQLite.
     *
     * @param target must not be there
     * @throws IOException if the copy cannot be made, or SQLite finds it damaged
     */
    public static void make(Path database, Path target) throws IOException {
        Files.createFile(target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            copy(database, target);
            check(target);
        } catch (SQLException e) {
            throw new IOException(database + " cannot be copied to " + target + ": " + e.getMessage(), e);
        }
        sync(target);
    }

    /** All pages in one step: in WAL mode that is one moment's state, and writers go on meanwhile. */
    private static void copy(Path database, Path target) throws SQLException, IOException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        try (Connection connection = source(database, config).getConnection()) {
            int code = connection
                    .unwrap(SQLiteConnection.class)
                    .getDatabase()
                    .backup("main", target.toString(), null, BUSY_MILLIS, BUSY_TIMES, ALL_PAGES);
            if (code != 0) {
                throw new IOException(database + " cannot be copied to " + target + ": SQLite's error code is " + code);
            }
        }
    }

    private static void check(Path copy) throws SQLException, IOException {
        try (Connection connection = source(copy, new SQLiteConfig()).getConnection();
                Statement statement = connection.createStatement()) {
            // no write-ahead log beside it: the copy is to be one file
            statement.execute("PRAGMA journal_mode = DELETE");
            try (ResultSet found = statement.executeQuery("PRAGMA quick_check(1)")) {
                String word = found.next() ? found.getString(1) : "nothing";
                if (!"ok".equals(word)) {
                    throw new IOException("SQLite finds the copy " + copy + " damaged: " + word);
                }
            }
        }
    }

    private static SQLiteDataSource source(Path file, SQLiteConfig config) {
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    /** Has the system write to disk what it holds back of the file. */
    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
