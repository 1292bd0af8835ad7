// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.ice;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Sentence;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The directory of a queue: the database, the spool, and a lock for the one manager. Only its owner may use it, for what lies in it says
 * with whose proxies jobs are submitted.
 *
 * <p>Each change is a transaction that is forced to disk before it is reported.
 */
final class QueueFile implements AutoCloseable {

    private static final int BUSY_MS = 60_000;
    private static final int VERSION = 1;
    private static final Set<PosixFilePermission> OWNER_ONLY = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private static final String[] TABLES = {
        "CREATE TABLE queue (id TEXT NOT NULL)",
        """
        CREATE TABLE job (
          seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, proxy TEXT NOT NULL, my_proxy TEXT,
          places TEXT NOT NULL, jdl TEXT NOT NULL, retries INTEGER NOT NULL, shallow INTEGER NOT NULL,
          retried INTEGER NOT NULL DEFAULT 0, shallow_retried INTEGER NOT NULL DEFAULT 0,
          state TEXT NOT NULL DEFAULT 'QUEUED', ready INTEGER NOT NULL DEFAULT 1, next INTEGER NOT NULL DEFAULT 0,
          cancelled INTEGER NOT NULL DEFAULT 0, cancel_asked INTEGER NOT NULL DEFAULT 0,
          place TEXT, endpoint TEXT, reg_key TEXT, sent INTEGER NOT NULL DEFAULT 0, remote TEXT, sandbox TEXT,
          ran INTEGER NOT NULL DEFAULT 0, heard INTEGER NOT NULL DEFAULT 0, ended INTEGER, exit_code INTEGER, reason TEXT)
        """,
        "CREATE INDEX job_ready ON job (ready, owner, seq)",
        "CREATE INDEX job_remote ON job (endpoint, remote)",
        "CREATE INDEX job_state ON job (state)",
        "CREATE TABLE step (job TEXT NOT NULL, attempt INTEGER NOT NULL, at INTEGER NOT NULL, step TEXT NOT NULL, detail TEXT)",
        "CREATE INDEX step_job ON step (job)",
        """
        CREATE TABLE grants (
          owner TEXT NOT NULL, endpoint TEXT NOT NULL, delegated_until INTEGER NOT NULL DEFAULT 0, leased_until INTEGER NOT NULL DEFAULT 0,
          since INTEGER NOT NULL, database TEXT, next_event INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (owner, endpoint))
        """
    };

    private final Path directory;
    private final Connection connection;
    private @Nullable FileChannel lockFile;

    /** What is done within a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    /** The same without a result. */
    @FunctionalInterface
    interface Update {
        void in(Connection connection) throws SQLException;
    }

    private QueueFile(Path directory, Connection connection) {
        this.directory = directory;
        this.connection = connection;
    }

    /** Opens the queue of the directory; makes what is not there yet. */
    static QueueFile open(Path directory) throws CommandException {
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
            Set<PosixFilePermission> modes = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
            if (!OWNER_ONLY.containsAll(modes)) {
                throw new CommandException(
                        ExitStatus.USAGE,
                        "Others may use the directory of the queue, " + directory
                                + ": they could submit with your proxies. Run: chmod 700 " + directory);
            }
            for (Path part : new Path[] {spool(directory), taken(directory), refused(directory)}) {
                Files.createDirectories(part, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "The directory of the queue, " + directory + ", cannot be used: " + Sentence.reason(e) + ".",
                    e);
        }
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MS);
        try {
            QueueFile file =
                    new QueueFile(directory, config.createConnection("jdbc:sqlite:" + directory.resolve("queue.db")));
            file.prepare();
            return file;
        } catch (SQLException e) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    Sentence.of("The queue in " + directory + " cannot be opened: " + e.getMessage()),
                    e);
        }
    }

    static Path spool(Path directory) {
        return directory.resolve("spool");
    }

    static Path taken(Path directory) {
        return directory.resolve("spool/taken");
    }

    static Path refused(Path directory) {
        return directory.resolve("spool/refused");
    }

    Path directory() {
        return directory;
    }

    private void prepare() throws SQLException {
        int known = read(it -> number(it, "PRAGMA user_version"));
        int version = known != 0
                ? known
                : change(it -> {
                    int found = number(it, "PRAGMA user_version");
                    if (found == 0) {
                        try (Statement statement = it.createStatement()) {
                            for (String table : TABLES) {
                                statement.executeUpdate(table);
                            }
                            statement.executeUpdate("INSERT INTO queue VALUES ('" + UUID.randomUUID() + "')");
                            statement.executeUpdate("PRAGMA user_version = " + VERSION);
                        }
                        return VERSION;
                    }
                    return found;
                });
        if (version != VERSION) {
            connection.close();
            throw new SQLException("its form is of version " + version + ", and this program knows " + VERSION);
        }
    }

    /** The first number that the query answers. */
    static int number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    /** Does the work in one transaction, which is on disk when this returns. */
    <T> T change(Work<T> work) {
        // the library's own transactions would begin the next one, and keep the lock, right after each
        return transaction("BEGIN IMMEDIATE", work);
    }

    /** Does work that changes nothing; it waits for no other process. */
    <T> T read(Work<T> work) {
        return transaction("BEGIN", work);
    }

    private synchronized <T> T transaction(String begin, Work<T> work) {
        try {
            execute(begin);
            T result = work.in(connection);
            execute("COMMIT");
            return result;
        } catch (SQLException e) {
            throw undone(e);
        } catch (RuntimeException e) {
            QueueException unused = undone(e);
            throw e;
        }
    }

    private void execute(String order) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(order);
        }
    }

    /** The same for work that has no result. */
    void update(Update work) {
        boolean unused = change(it -> {
            work.in(it);
            return true;
        });
    }

    private QueueException undone(Exception e) {
        try {
            execute("ROLLBACK");
        } catch (SQLException second) {
            e.addSuppressed(second);
        }
        return new QueueException(
                "The queue in " + directory + " cannot be read or written: " + e.getMessage()
                        + ". Look whether its disk is full.",
                e);
    }

    /** The name of this queue, which no other has. */
    String id() {
        return read(it -> {
            try (Statement statement = it.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id FROM queue")) {
                rows.next();
                return rows.getString(1);
            }
        });
    }

    /** Keeps every other manager away until this process ends, however it ends. */
    void lock() throws CommandException {
        Path file = directory.resolve("lock");
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lockFile = channel;
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            throw new CommandException(ExitStatus.USAGE, busy(), e);
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The file " + file + " cannot be locked: " + Sentence.reason(e) + ".", e);
        }
        throw new CommandException(ExitStatus.USAGE, busy());
    }

    private String busy() {
        return "Another ice run works on the queue in " + directory + ".";
    }

    @Override
    public void close() {
        try {
            synchronized (this) {
                connection.close();
            }
            FileChannel lock = lockFile;
            if (lock != null) {
                lock.close();
            }
        } catch (SQLException | IOException e) {
            throw new QueueException("The queue in " + directory + " cannot be closed: " + e.getMessage(), e);
        }
    }

    /** A text that must be there. */
    static String text(ResultSet row, String column) throws SQLException {
        return requireNonNull(row.getString(column), column);
    }
}
