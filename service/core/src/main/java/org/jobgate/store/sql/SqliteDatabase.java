// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * SQLite in one file: write-ahead log, every commit forced to disk (synchronous = FULL), one connection that writes and a few that
 * only read. A lock file beside it keeps a second container out.
 */
final class SqliteDatabase implements Database {

    /** Larger than the default of 4096: a job with its description fills fewer overflow pages (measured, docs/internals/store.md). */
    private static final int PAGE_BYTES = 8192;

    /** The log is copied back into the file when it has grown to 32 MiB; rarer than the default, for each copy forces the file too. */
    private static final int CHECKPOINT_PAGES = 4096;

    private static final int WRITER_CACHE_KIB = 32_768;
    private static final int READER_CACHE_KIB = 4_096;

    private final Path file;
    private final StoreSettings settings;
    private final StoreLock lock;
    private @Nullable HikariDataSource readers;

    SqliteDatabase(StoreSettings settings) {
        this.settings = settings;
        Path path = settings.sqliteFile().toAbsolutePath().normalize();
        createPrivately(path);
        this.file = realPath(path);
        this.lock = StoreLock.take(file.resolveSibling(file.getFileName() + ".lock"), name());
    }

    private static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw cannotOpen(path, e);
        }
    }

    /** SQLite gives its log the mode of the file, so that the file must have the right one before it is opened. */
    private static void createPrivately(Path path) {
        try {
            Path directory = path.getParent();
            if (directory != null && !Files.isDirectory(directory)) {
                Files.createDirectories(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            makePrivate(path);
        } catch (IOException e) {
            throw cannotOpen(path, e);
        }
    }

    private static void makePrivate(Path path) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw cannotOpen(path, e);
        }
    }

    private static FaultException cannotOpen(Path path, IOException e) {
        return new FaultException(
                Fault.of(
                        FaultCode.STORE_UNAVAILABLE,
                        "The store " + path + " cannot be opened: " + Reason.of(e) + ".",
                        "Make the directory exist and writable for the service's account, or correct store.url."),
                e);
    }

    @Override
    public String name() {
        return "sqlite:" + file;
    }

    @Override
    public Connection openWriter() throws SQLException {
        Connection connection = dataSource(config(WRITER_CACHE_KIB)).getConnection();
        try (Statement statement = connection.createStatement()) {
            // the page size counts only before the file has a first page, and WAL mode writes that
            statement.execute("PRAGMA page_size = " + PAGE_BYTES);
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
            statement.execute("PRAGMA journal_size_limit = " + 2L * CHECKPOINT_PAGES * PAGE_BYTES);
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private SQLiteConfig config(int cacheKib) {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout((int) settings.timeout().toMillis());
        config.setCacheSize(-cacheKib);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        return config;
    }

    private SQLiteDataSource dataSource(SQLiteConfig config) {
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    @Override
    public void migrate() {
        SQLiteConfig config = config(READER_CACHE_KIB);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        Migration.run(
                dataSource(config),
                name(),
                Map.of("bytes", "BLOB", "key", "TEXT", "rowStorage", "WITHOUT ROWID", "hotStorage", "WITHOUT ROWID"));
        readers = openReaders();
    }

    private HikariDataSource openReaders() {
        SQLiteConfig config = config(READER_CACHE_KIB);
        config.setReadOnly(true);
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("jobgate-store-readers");
        pool.setDataSource(new SqliteReader.Source(config, file.toString()));
        pool.setReadOnly(true);
        pool.setMaximumPoolSize(settings.maxReaders());
        pool.setConnectionTimeout(settings.timeout().toMillis());
        // a file does not go stale
        pool.setMaxLifetime(0);
        pool.setKeepaliveTime(0);
        return new HikariDataSource(pool);
    }

    @Override
    public Connection reader() throws SQLException {
        HikariDataSource source = readers;
        if (source == null) {
            throw new SQLException("the store is not open");
        }
        return source.getConnection();
    }

    @Override
    public boolean isOursAlone() {
        return true;
    }

    @Override
    public Statements kept(Connection reader) throws SQLException {
        return SqliteReader.statements(reader);
    }

    @Override
    public @Nullable Fault outage(SQLException exception) {
        return SqliteOutages.explain(exception, file);
    }

    @Override
    public boolean breaksConnection(SQLException exception) {
        return SqliteOutages.breaksConnection(exception);
    }

    @Override
    public @Nullable String transactionName(Connection writer) {
        return null;
    }

    @Override
    public boolean wasCommitted(Connection writer, String transactionName) {
        throw new IllegalStateException("a commit of SQLite is answered before the call returns");
    }

    @Override
    public void closeReaders() {
        if (readers != null) {
            readers.close();
        }
    }

    @Override
    public void close() {
        lock.close();
    }
}
