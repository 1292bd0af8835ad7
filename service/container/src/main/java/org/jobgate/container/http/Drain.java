// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/**
 * Reads and drops what a client still sends after its answer, up to a bound and for at most {@value #SECONDS} s. Closing a connection with unread bytes in it makes the system
 * reset it, and the client would then see the reset instead of the answer.
 */
final class Drain {

    private static final int SECONDS = 30;

    private final Request request;
    private final LongSupplier nanoTime;
    private final long begin;
    private long left;

    Drain(Request request, long maxBytes, LongSupplier nanoTime) {
        this.request = request;
        this.left = maxBytes;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
    }

    /** A callback that drains, then calls the given one. */
    Callback before(Callback next) {
        return Callback.from(() -> run(next), next::failed);
    }

    private void run(Callback next) {
        while (left > 0 && nanoTime.getAsLong() - begin < TimeUnit.SECONDS.toNanos(SECONDS)) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                // the idle time of the connection ends the wait for a client that has gone silent
                request.demand(() -> run(next));
                return;
            }
            left -= chunk.remaining();
            boolean over = chunk.isLast() || Content.Chunk.isFailure(chunk);
            chunk.release();
            if (over) {
                break;
            }
        }
        next.succeeded();
    }
}
