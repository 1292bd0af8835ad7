// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jspecify.annotations.Nullable;

/** Keeps some logins for a short time: the next file is as a rule at the same server. */
final class SftpPool implements AutoCloseable {

    private static final int MAX_IDLE = 16;
    private static final long IDLE_NANOS = Duration.ofSeconds(15).toNanos();

    private record Idle(SftpConnection connection, long since) {}

    private final SftpLogins logins;
    private final Deque<Idle> idle = new ArrayDeque<>(); // longest idle first
    private boolean isClosed;

    SftpPool(SftpLogins logins) {
        this.logins = logins;
    }

    /** One of the account at the server; to be handed to {@link #giveBack} when all went well, else ended. */
    SftpConnection lease(SftpPlace place, TransferContext context) throws TransferException, InterruptedException {
        SftpConnection kept = take(SftpConnection.key(place, context));
        return kept == null ? logins.open(place, context) : kept;
    }

    private synchronized @Nullable SftpConnection take(String key) {
        endOld();
        for (Iterator<Idle> all = idle.descendingIterator(); all.hasNext(); ) {
            Idle one = all.next();
            if (one.connection().key().equals(key)) {
                all.remove();
                if (one.connection().isUsable()) {
                    return one.connection();
                }
                one.connection().end();
            }
        }
        return null;
    }

    private void endOld() {
        Idle first = idle.peekFirst();
        while (first != null && (idle.size() > MAX_IDLE || System.nanoTime() - first.since() > IDLE_NANOS)) {
            idle.removeFirst();
            first.connection().end();
            first = idle.peekFirst();
        }
    }

    synchronized void giveBack(SftpConnection connection) {
        if (isClosed || !connection.isUsable()) {
            connection.end();
            return;
        }
        idle.addLast(new Idle(connection, System.nanoTime()));
        endOld();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        idle.forEach(one -> one.connection().end());
        idle.clear();
        logins.close();
    }
}
