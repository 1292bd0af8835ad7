// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jspecify.annotations.Nullable;

/** Which of SQLite's result codes (sqlite.org/rescode.html) mean that the store cannot work, and what to do about each. */
final class SqliteOutages {

    private static final int PERM = 3;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int NOMEM = 7;
    private static final int READONLY = 8;
    private static final int IOERR = 10;
    private static final int CORRUPT = 11;
    private static final int FULL = 13;
    private static final int CANTOPEN = 14;
    private static final int NOTADB = 26;

    private SqliteOutages() {}

    static @Nullable Fault explain(SQLException exception, Path file) {
        if (exception instanceof SQLTransientConnectionException) {
            return unavailable(
                    file,
                    "all its connections for reading are in use",
                    "Try again; if it stays so, raise store.maxReaders.");
        }
        return switch (primaryCode(exception)) {
            case FULL -> unavailable(file, "its disk is full", "Free space on the disk of " + file.getParent() + ".");
            case READONLY, PERM ->
                unavailable(
                        file,
                        "it cannot be written",
                        "Make " + file
                                + " and its directory writable for the service's account, and the disk mounted rw.");
            case CANTOPEN ->
                unavailable(
                        file,
                        "it cannot be opened",
                        "See that the directory " + file.getParent() + " exists and is writable.");
            case IOERR ->
                unavailable(
                        file,
                        "reading or writing failed (" + exception.getMessage() + ")",
                        "See the kernel log for disk errors, and free space on the disk of " + file.getParent() + ".");
            case BUSY, LOCKED ->
                unavailable(
                        file,
                        "another process has locked it",
                        "End whatever else has opened " + file + ", e.g. a sqlite3 shell.");
            case CORRUPT, NOTADB ->
                unavailable(file, "it is damaged (" + exception.getMessage() + ")", "See docs/operate/recovering.md.");
            case NOMEM -> unavailable(file, "there is no memory left", "Give the service more memory.");
            default -> null;
        };
    }

    /** After these SQLite may have lost its hold on the file: it is opened anew. */
    static boolean breaksConnection(SQLException exception) {
        return switch (primaryCode(exception)) {
            case READONLY, PERM, CANTOPEN, IOERR, CORRUPT, NOTADB, NOMEM -> true;
            default -> false;
        };
    }

    /** The driver may report an extended code; the primary one is its low byte. */
    private static int primaryCode(SQLException exception) {
        return exception.getErrorCode() & 0xFF;
    }

    private static Fault unavailable(Path file, String why, String remedy) {
        return Fault.of(
                FaultCode.STORE_UNAVAILABLE, "The store sqlite:" + file + " does not work: " + why + ".", remedy);
    }
}
