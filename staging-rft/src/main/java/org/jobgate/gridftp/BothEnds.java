// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two control connections of one third-party transfer, each read until its last word. The first failure ends the other side too
 * ({@code ABOR}): it would wait for data that never comes.
 */
final class BothEnds {

    private static final Duration LAST_WORD = Duration.ofSeconds(10);

    private final Meter meter;
    private @Nullable GridFtpException failure;

    BothEnds(Meter meter) {
        this.meter = meter;
    }

    /** One of the two. */
    private static final class End {

        private final GridFtpSession session;
        private final List<String> commands;
        private boolean ended;
        private boolean aborted;

        End(GridFtpSession session, List<String> commands) {
            this.session = session;
            this.commands = commands;
        }
    }

    /** Both have been sent their commands, the last of which moves the data. Returns when both have answered all of them. */
    void run(GridFtpSession from, List<String> sending, GridFtpSession to, List<String> receiving)
            throws GridFtpException {
        End sender = new End(from, sending);
        End receiver = new End(to, receiving);
        Thread other = Thread.ofVirtual().name("gridftp-sender").start(() -> follow(sender, receiver));
        follow(receiver, sender);
        join(other, from, to);
        synchronized (this) {
            if (failure != null) {
                throw failure;
            }
        }
    }

    private static void join(Thread other, GridFtpSession from, GridFtpSession to) {
        try {
            other.join();
        } catch (InterruptedException e) {
            from.control().close();
            to.control().close();
            Thread.currentThread().interrupt();
        }
    }

    private void follow(End end, End other) {
        try {
            GridFtpException refused = null;
            for (String command : end.commands) {
                Reply reply = new TransferReplies(end.session, meter).last(command);
                if (reply.isFailure() && refused == null) {
                    refused = end.session.refusal(command, reply);
                }
            }
            end(end);
            if (refused != null) {
                throw refused;
            }
            meter.patience().renew(end.session.settings().replyTimeout());
        } catch (GridFtpException e) {
            failed(e, end, other);
        }
    }

    /** A server that was told to abort answers that command as well. */
    private void end(End end) {
        boolean aborted;
        synchronized (this) {
            end.ended = true;
            aborted = end.aborted;
        }
        if (aborted) {
            try {
                end.session.control().read("ABOR", new Patience(LAST_WORD));
            } catch (GridFtpException e) {
                end.session.control().close(); // it is not known which command its next reply would answer
            }
        }
    }

    private synchronized void failed(GridFtpException e, End end, End other) {
        end.ended = true;
        if (failure instanceof TransientGridFtpException && e instanceof PermanentGridFtpException) {
            e.addSuppressed(failure);
            failure = e;
        } else if (failure != null) {
            failure.addSuppressed(e);
        } else {
            failure = e;
        }
        if (!other.ended && !other.aborted) {
            other.aborted = true;
            meter.patience().renew(LAST_WORD);
            abort(other);
        }
    }

    private static void abort(End other) {
        try {
            other.session.control().abort();
        } catch (GridFtpException e) {
            other.session.control().close();
        }
    }
}
