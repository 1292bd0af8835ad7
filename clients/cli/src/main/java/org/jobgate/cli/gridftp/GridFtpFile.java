// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.NewFile;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.Credential;
import org.jobgate.cli.tls.CredentialException;
import org.jobgate.cli.tls.RefusedException;
import org.jobgate.cli.tls.TrustDirectory;

/** Moves one file to or from a GridFTP server, and goes on where it was when the connection breaks. */
public final class GridFtpFile {
    private static final int PIECE = 256 * 1024;
    private static final Duration OUTAGE_MAX = Duration.ofMinutes(2);
    private static final long PAUSE_MS = 500;

    /** A server may write several pieces at the same time, so that before the end of a part that was cut off some may be missing. */
    private static final long UNSURE = 16L << 20;

    private final GridFtpSession.Identity identity;
    private final GridFtpUrl url;
    private final String path;
    private final Console console;
    private final LongConsumer progress;

    /**
     * Connects to nobody yet.
     *
     * @param url {@code gsiftp://HOST[:PORT]/PATH}
     * @param timeout to connect, for each answer, and for each moment without data
     * @param progress told how many bytes have been moved, again and again
     * @throws CommandException the URL is none
     */
    public GridFtpFile(
            String url,
            Credential credential,
            TrustDirectory trusted,
            Duration timeout,
            Console console,
            LongConsumer progress)
            throws CommandException {
        this.identity = new GridFtpSession.Identity(credential, trusted, Math.toIntExact(timeout.toMillis()));
        this.console = requireNonNull(console, "console is null");
        this.progress = requireNonNull(progress, "progress is null");
        this.url = GridFtpUrl.of(url);
        this.path = this.url.path();
    }

    /** What is done with a server until it is whole. */
    private interface Attempt {
        /** Whether the file is whole. */
        boolean run(GridFtpSession session) throws IOException, CommandException;

        /** How many bytes have been moved: where there are more than before, the server answers again. */
        long moved();
    }

    /**
     * Fetches it to a path, as {@link NewFile} writes it.
     *
     * @return its size
     * @throws IOException the server cannot be reached for two minutes, or refuses
     */
    public long fetch(Path to) throws IOException, CommandException, InterruptedException {
        return NewFile.write(to, out -> {
            Fetching fetching = new Fetching(out);
            run(fetching);
            return fetching.done;
        });
    }

    private final class Fetching implements Attempt {
        private final OutputStream out;
        private volatile long done;
        private long most;
        private String version = "";

        Fetching(OutputStream out) {
            this.out = out;
        }

        @Override
        public long moved() {
            return Math.max(most, done);
        }

        @Override
        public boolean run(GridFtpSession session) throws IOException, CommandException {
            most = Math.max(most, done);
            long size = session.size(path);
            String written = session.written(path);
            String now = written.isEmpty() ? "" : size + " " + written;
            if (now.isEmpty() || version.isEmpty()) {
                beginAgain();
                version = now;
            } else if (!version.equals(now)) {
                throw new CommandException(
                        ExitStatus.CONTACT, "The file changed while it was fetched. Fetch it again.");
            }
            if (done < size || size == 0) {
                session.transfer("RETR " + path, done, (data, moving) -> {
                    InputStream in = data.getInputStream();
                    byte[] piece = new byte[PIECE];
                    for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                        if (count > size - done) {
                            throw new CommandException(
                                    ExitStatus.CONTACT, "The file became larger while it was fetched. Fetch it again.");
                        }
                        NewFile.piece(piece, count, out);
                        long all = done + count; // written by this thread alone
                        done = all;
                        moving.run();
                        progress.accept(done);
                    }
                });
            }
            return done == size;
        }

        /** Without its time another file of the same size is not told from the one of which the first part is here. */
        private void beginAgain() throws CommandException {
            if (done > 0 && !NewFile.beginAgain(out)) {
                throw new CommandException(
                        ExitStatus.CONTACT,
                        "The connection broke, and the server does not tell whether the file is still the same."
                                + " Fetch it again.");
            }
            done = 0;
        }
    }

    /**
     * Brings a file of this machine there; answers its size.
     *
     * @throws IOException the server cannot be reached for two minutes, or refuses
     */
    public long bring(Path local) throws IOException, CommandException, InterruptedException {
        try (FileChannel file = FileChannel.open(local, StandardOpenOption.READ)) {
            Bringing bringing = new Bringing(local, file);
            run(bringing);
            return bringing.size;
        } catch (FileSystemException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The file " + local + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    private final class Bringing implements Attempt {
        private final Path local;
        private final FileChannel file;
        private final long size;
        private long most;

        /** Behind the last byte that was given to a connection: what is there further on was there before, and is not ours. */
        private volatile long sent;

        Bringing(Path local, FileChannel file) throws IOException {
            this.local = local;
            this.file = file;
            this.size = file.size();
        }

        @Override
        public long moved() {
            return most;
        }

        @Override
        public boolean run(GridFtpSession session) throws IOException, CommandException {
            long from = sent == 0 ? 0 : Math.max(0, Math.min(Math.min(size, sent), arrived(session)) - UNSURE);
            most = Math.max(most, from);
            session.transfer("STOR " + path, from, (data, moving) -> send(from, data.getOutputStream(), moving));
            long there = session.size(path);
            if (there > size) {
                throw new CommandException(
                        ExitStatus.REFUSED,
                        "The server has " + there + " bytes of the file's " + size + ": somebody else writes it, too.");
            }
            return there == size;
        }

        /** Nothing, where the server does not know the file: it has not come so far. */
        private long arrived(GridFtpSession session) throws IOException {
            try {
                return session.size(path);
            } catch (RefusedException e) {
                return 0;
            }
        }

        private void send(long from, OutputStream out, Runnable moving) throws IOException, CommandException {
            byte[] piece = new byte[PIECE];
            InputStream in = Channels.newInputStream(file.position(from));
            for (long at = from; at < size; ) {
                int count = read(in, piece, (int) Math.min(PIECE, size - at));
                out.write(piece, 0, count);
                at += count;
                sent = Math.max(sent, at); // written by this thread alone
                moving.run();
                progress.accept(at);
            }
        }

        private int read(InputStream in, byte[] piece, int length) throws CommandException {
            int count;
            try {
                count = in.readNBytes(piece, 0, length);
            } catch (IOException e) {
                throw new CommandException(
                        ExitStatus.USAGE, "The file " + local + " cannot be read: " + Sentence.reason(e) + ".", e);
            }
            if (count < length) {
                throw new CommandException(
                        ExitStatus.USAGE, "The file " + local + " became shorter while it was sent.");
            }
            return count;
        }
    }

    /** Whether the server is not whom we believe: it will not be another one in a moment. */
    private static boolean isDisbelief(IOException e) {
        Throwable at = e;
        while (at != null && !(at instanceof CredentialException)) {
            at = at.getCause();
        }
        return at != null;
    }

    /** Until the file is whole; each time with a new login. */
    private void run(Attempt attempt) throws IOException, CommandException, InterruptedException {
        Outage outage = new Outage(console, OUTAGE_MAX);
        while (true) {
            long before = attempt.moved();
            try (GridFtpSession session = GridFtpSession.open(identity, url.host(), url.port())) {
                if (attempt.run(session)) {
                    outage.over();
                    return;
                }
                throw new IOException("The GridFTP server ended the transfer before the file was whole.");
            } catch (DataTransfer.LocalFileException e) {
                throw e.why();
            } catch (IOException e) {
                if (isDisbelief(e)) {
                    throw e;
                }
                if (attempt.moved() > before) {
                    outage.over();
                }
                outage.failed(e);
                Thread.sleep(PAUSE_MS);
            }
        }
    }
}
