// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jspecify.annotations.Nullable;

/** Which of PostgreSQL's error codes (its manual, appendix A) mean that the store cannot work, and what to do about each. */
final class PostgresOutages {

    private static final String READ_ONLY_TRANSACTION = "25006";
    private static final String DISK_FULL = "53100";
    private static final String TOO_MANY_CONNECTIONS = "53300";
    private static final String NOT_ACCEPTING_CONNECTIONS = "55000";

    private PostgresOutages() {}

    static @Nullable Fault explain(SQLException exception, String store) {
        String state = state(exception);
        return switch (state) {
            case DISK_FULL -> unavailable(store, "its disk is full", "Free space on the database server's disk.");
            case READ_ONLY_TRANSACTION ->
                unavailable(store, "it may only be read", "Point store.url to the primary server, not to a standby.");
            case TOO_MANY_CONNECTIONS ->
                unavailable(store, "the server takes no more connections", "Raise the server's max_connections.");
            case NOT_ACCEPTING_CONNECTIONS ->
                unavailable(store, "the server refuses: " + exception.getMessage(), "See the server's log.");
            default -> explainClass(state, exception, store);
        };
    }

    private static @Nullable Fault explainClass(String state, SQLException exception, String store) {
        if (exception instanceof SQLTransientConnectionException) {
            return unavailable(
                    store,
                    "no connection for reading could be had (" + exception.getMessage() + ")",
                    "See that the server runs; if it does, raise store.maxReaders.");
        }
        if (isConnectionLost(state)) {
            return unavailable(
                    store,
                    "the connection failed (" + exception.getMessage() + ")",
                    "See that the server runs and can be reached; the service goes on by itself when it does.");
        }
        return switch (state.isEmpty() ? "" : state.substring(0, 2)) {
            case "28", "3D" ->
                unavailable(
                        store,
                        "the server refuses us: " + exception.getMessage(),
                        "Correct store.url, user and passwordFile.");
            case "53", "58", "XX" ->
                unavailable(store, "the server fails (" + exception.getMessage() + ")", "See the server's log.");
            default -> null;
        };
    }

    /** Classes 08 (connection exception) and 57P (operator intervention: shut down, crashed, starting). */
    private static boolean isConnectionLost(String state) {
        return state.startsWith("08") || state.startsWith("57P");
    }

    static boolean breaksConnection(SQLException exception) {
        String state = state(exception);
        return isConnectionLost(state) || state.startsWith("58") || state.equals(READ_ONLY_TRANSACTION);
    }

    private static String state(SQLException exception) {
        String state = exception.getSQLState();
        return state == null ? "" : state;
    }

    private static Fault unavailable(String store, String why, String remedy) {
        return Fault.of(FaultCode.STORE_UNAVAILABLE, "The store " + store + " does not work: " + why + ".", remedy);
    }
}
