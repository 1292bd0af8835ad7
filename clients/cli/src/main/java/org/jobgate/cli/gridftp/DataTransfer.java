// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.tls.RefusedException;
import org.jobgate.cli.tls.ServerName;
import org.jobgate.cli.tls.TlsConnector;
import org.jspecify.annotations.Nullable;

/**
 * One transfer in stream mode. The data moves in a thread of its own, because the server may say at any time on the other connection that it
 * gives up.
 */
final class DataTransfer {
    /** So long the server may take to say why the data connection broke. */
    private static final long LAST_WORD_NANOS = 5_000_000_000L;

    /** What is done with the data. */
    @FunctionalInterface
    interface Work {
        /**
         * Reads all that comes, or writes all that goes.
         *
         * @param moving to be called for each piece: as long as it is, the transfer lives
         * @throws CommandException the file here cannot be read or written, which another attempt does not change
         */
        void run(Socket data, Runnable moving) throws IOException, CommandException;
    }

    private final ControlConnection control;
    private final GridFtpSession.Identity identity;
    private final String host;
    private final Work work;
    private final AtomicLong alive = new AtomicLong(System.nanoTime());
    private volatile @Nullable Exception failure;
    private volatile boolean isOver;

    DataTransfer(ControlConnection control, GridFtpSession.Identity identity, String host, Work work) {
        this.control = control;
        this.identity = identity;
        this.host = host;
        this.work = work;
    }

    /**
     * Gives the command and moves the data. Nothing is moved any more when this returns.
     *
     * @throws LocalFileException the file here cannot be read or written
     */
    void run(InetSocketAddress address, String command) throws IOException {
        Socket plain = new Socket();
        Thread mover = Thread.ofPlatform().daemon().name("data").unstarted(() -> move(plain));
        try {
            plain.connect(address, identity.timeoutMs());
            plain.setSoTimeout(identity.timeoutMs());
            control.send(command);
            mover.start();
            Reply last = last();
            if (last.isFailure()) {
                throw refusal(last, command);
            }
            end(mover);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            plain.close();
            joined(mover);
        }
    }

    private Reply last() throws IOException {
        try {
            Reply reply = control.reply(this::requireAlive);
            Progress progress = new Progress();
            while (reply.isPreliminary()) {
                if (progress.isIn(reply)) {
                    alive.set(System.nanoTime());
                }
                reply = control.reply(this::requireAlive);
            }
            return reply;
        } catch (IOException e) {
            throw cause(e);
        }
    }

    /** Its connection is closed, so it ends at once. */
    private static void joined(Thread mover) {
        try {
            mover.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void move(Socket plain) {
        try {
            SSLSocket data = TlsConnector.over(
                    plain,
                    identity.credential(),
                    identity.trusted(),
                    new ServerName.Subject(identity.credential().endEntity()),
                    host);
            work.run(data, () -> alive.set(System.nanoTime()));
            plain.shutdownOutput();
        } catch (IOException | CommandException | RuntimeException e) {
            alive.set(System.nanoTime());
            failure = e;
        } finally {
            isOver = true;
        }
    }

    /** While the server says nothing: whether there is any hope. */
    private void requireAlive() throws IOException {
        long quiet = System.nanoTime() - alive.get();
        Exception failed = failure;
        if (failed != null && (failed instanceof CommandException || quiet > LAST_WORD_NANOS)) {
            throw cause(new IOException("The data connection broke."));
        }
        if (quiet > identity.timeoutMs() * 1_000_000L) {
            throw new IOException(
                    "No data has moved for " + identity.timeoutMs() / 1000 + " s.", new SocketTimeoutException());
        }
    }

    /** All is sent by the word of the server; what it has sent is read to its end. */
    private void end(Thread mover) throws IOException, InterruptedException {
        while (!isOver) {
            requireAlive();
            mover.join(100);
        }
        if (failure != null) {
            throw cause(new IOException("The data connection broke."));
        }
    }

    /** The server's reason where it refuses; a broken connection, which another attempt may have whole, where it only tells of that. */
    private IOException refusal(Reply last, String command) {
        Exception failed = failure;
        if (failed instanceof CommandException) {
            return cause(new IOException(failed));
        }
        IOException said = last.refusal(command, RefusedException.What.REQUEST);
        boolean isCut = failed != null && command.startsWith("RETR");
        return isCut && said instanceof RefusedException ? new IOException(said.getMessage(), failed) : said;
    }

    private IOException cause(IOException usual) {
        Exception failed = failure;
        if (failed instanceof CommandException local) {
            return new LocalFileException(local);
        }
        return failed instanceof IOException told ? told : usual;
    }

    /** Our own file cannot be read or written. */
    static final class LocalFileException extends IOException {
        private static final long serialVersionUID = 1L;

        private final CommandException why;

        LocalFileException(CommandException why) {
            super(why.getMessage(), why);
            this.why = why;
        }

        CommandException why() {
            return why;
        }
    }
}
