// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jobgate.transfer.protocol.Entry;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.UrlPolicy;

/**
 * {@code ftp://host[:21]/path}: plain FTP (RFC 959, 2428, 3659), as anonymous, or as the user that the job has a password for. Nothing
 * of it is encrypted, the password neither, so it is off unless the site names it.
 *
 * <p>A file that is written has its name when it is whole; until then it is a part beside it, which another attempt goes on with.
 */
public final class FtpProtocol implements Protocol {

    private static final int PIECE = 256 * 1024;
    private static final int MAX_DEPTH = 64;
    private static final TransferPassword ANONYMOUS = new TransferPassword("anonymous", "anonymous", "jobgate@");

    private final Duration timeout;
    private final UrlPolicy policy;

    /**
     * A protocol that has connected to nobody.
     *
     * @param timeout how long connecting and one answer may take
     * @param policy where servers, and what they name for data, may be
     */
    public FtpProtocol(Duration timeout, UrlPolicy policy) {
        this.policy = requireNonNull(policy, "policy is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
    }

    @Override
    public Set<String> schemes() {
        return Set.of("ftp");
    }

    @Override
    public boolean takesPassword() {
        return true;
    }

    @Override
    public Source open(URI source, long offset, String version, TransferContext context)
            throws TransferException, InterruptedException {
        FtpPlace place = FtpPlace.of(source);
        String what = "reading " + place.path() + " at " + place.server();
        FtpSession session = login(place, context);
        boolean isGiven = false;
        try {
            OptionalLong size = session.size(place);
            String changed = session.changed(place);
            String now = size.isPresent() && !changed.isEmpty() ? size.getAsLong() + "-" + changed : "";
            long start = !now.isEmpty() && now.equals(version) && offset <= size.getAsLong() ? offset : 0;
            Source opened = new Source(
                    start,
                    size.orElse(Source.UNKNOWN),
                    now,
                    new FtpBytes(session.retrieve(place, start), session, what));
            isGiven = true;
            return opened;
        } catch (IOException e) {
            throw FtpRefusals.of(e, what);
        } finally {
            if (!isGiven) {
                end(session);
            }
        }
    }

    @Override
    public long kept(URI destination, TransferContext context) throws TransferException, InterruptedException {
        FtpPlace part = FtpPlace.of(destination).unfinished(context.id());
        return with(part, context, "looking for", session -> session.size(part).orElse(0));
    }

    @Override
    public void store(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        FtpPlace place = FtpPlace.of(destination);
        FtpPlace part = place.unfinished(context.id());
        long unused = with(place, context, "writing", session -> {
            if (source.start() == 0 && !session.deleteFile(part)) {
                // as a rule there is none; what is really wrong STOR will say
                makeDirectories(session, part.parent(), 0);
            }
            long end = write(source, session, part, context.progress());
            source.requireWhole(end, session.size(part).orElse(end));
            session.rename(part, place);
            return end;
        });
    }

    private static long write(Source source, FtpSession session, FtpPlace part, Progress progress) throws IOException {
        long offset = source.start();
        byte[] piece = new byte[PIECE];
        try (OutputStream out = session.store(part, offset)) {
            int count = source.bytes().readNBytes(piece, 0, piece.length);
            while (count > 0) {
                out.write(piece, 0, count);
                offset += count;
                progress.moved(count);
                if (progress.isMarkDue()) {
                    progress.mark(Long.toString(offset)); // what of it has not arrived, kept() leaves out
                }
                count = source.bytes().readNBytes(piece, 0, piece.length);
            }
        }
        session.complete("STOR");
        return offset;
    }

    @Override
    public boolean appends() {
        return true;
    }

    @Override
    public boolean append(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        FtpPlace place = FtpPlace.of(destination);
        return with(place, context, "appending to", session -> {
            if (session.size(place).orElse(-1) < source.start()) {
                return false;
            }
            long end = write(source, session, place, context.progress());
            long there = session.size(place).orElse(-1);
            source.requireWhole(end, Math.min(end, there));
            return true;
        });
    }

    /** The size is not known at a server that does not know SIZE, and nothing is appended there. */
    @Override
    public long size(URI file, TransferContext context) throws TransferException, InterruptedException {
        FtpPlace place = FtpPlace.of(file);
        return with(
                place, context, "looking for", session -> session.size(place).orElse(-1));
    }

    /** A server that does not know SIZE could have the file all the same. */
    @Override
    public long existing(URI file, TransferContext context) throws TransferException, InterruptedException {
        FtpPlace place = FtpPlace.of(file);
        return with(place, context, "looking for", session -> {
            OptionalLong size = session.size(place);
            if (size.isEmpty() && !session.knowsSizes()) {
                throw new IOException(new TransferException(
                        TransferException.Kind.PERMANENT,
                        "the server does not say whether a file is there (SIZE)",
                        "Use another server, or let the file be overwritten."));
            }
            return size.orElse(-1);
        });
    }

    @Override
    public void abandon(URI destination, TransferContext context) throws TransferException, InterruptedException {
        FtpPlace part = FtpPlace.of(destination).unfinished(context.id());
        boolean unused = with(part, context, "removing", session -> {
            if (!session.deleteFile(part) && session.size(part).isPresent()) {
                throw session.refusal("DELE");
            }
            return true;
        });
    }

    @Override
    public List<Entry> list(URI directory, TransferContext context) throws TransferException, InterruptedException {
        FtpPlace place = FtpPlace.of(directory);
        return with(place, context, "listing", session -> session.list(place));
    }

    @Override
    public void makeDirectory(URI directory, TransferContext context) throws TransferException, InterruptedException {
        FtpPlace place = FtpPlace.of(directory);
        boolean unused = with(place, context, "making", session -> {
            makeDirectories(session, place, 0);
            return true;
        });
    }

    private static void makeDirectories(FtpSession session, FtpPlace directory, int depth) throws IOException {
        if (directory.isTop() || session.isDirectory(directory)) {
            return;
        }
        if (depth > MAX_DEPTH) {
            throw new IOException(directory.path() + " is deeper than " + MAX_DEPTH + " directories");
        }
        makeDirectories(session, directory.parent(), depth + 1);
        if (!session.makeDirectory(directory)) {
            FtpRefusedException refused = session.refusal("MKD");
            if (!session.isDirectory(directory)) { // another transfer may have made it
                throw refused;
            }
        }
    }

    @Override
    public boolean delete(URI file, TransferContext context) throws TransferException, InterruptedException {
        FtpPlace place = FtpPlace.of(file);
        if (place.isTop()) {
            throw new TransferException(
                    Kind.PERMANENT, "the root directory is not deleted", "Correct the file's name in the job.");
        }
        return with(place, context, "deleting", session -> delete(session, place, context.progress()));
    }

    /** DELE first: it removes links, which CWD would follow. */
    private static boolean delete(FtpSession session, FtpPlace place, Progress progress) throws IOException {
        if (session.deleteFile(place)) {
            return true;
        }
        FtpRefusedException refused = session.refusal("DELE");
        if (session.isDirectory(place)) {
            empty(session, place, progress, 0);
            session.removeDirectory(place);
            return true;
        }
        if (!refused.isUnavailable() || session.size(place).isPresent()) {
            throw refused;
        }
        return false;
    }

    private static void empty(FtpSession session, FtpPlace directory, Progress progress, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException(directory.path() + " is deeper than " + MAX_DEPTH + " directories");
        }
        for (Entry entry : session.list(directory)) {
            FtpPlace inside = directory.inside(entry.name());
            progress.moved(0);
            if (entry.kind() == Entry.Kind.DIRECTORY) {
                empty(session, inside, progress, depth + 1);
                session.removeDirectory(inside);
            } else if (!session.deleteFile(inside)) {
                throw session.refusal("DELE");
            }
        }
    }

    private interface Work<T> {
        T with(FtpSession session) throws IOException, TransferException;
    }

    private <T> T with(FtpPlace place, TransferContext context, String verb, Work<T> work)
            throws TransferException, InterruptedException {
        String what = verb + " " + place.path() + " at " + place.server();
        try (FtpSession session = login(place, context)) {
            return work.with(session);
        } catch (IOException e) {
            throw FtpRefusals.of(e, what);
        } catch (IllegalArgumentException e) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the FTP server lists a name that cannot be one (" + what + ")",
                    "Tell the server's administrator.",
                    e);
        }
    }

    private FtpSession login(FtpPlace place, TransferContext context) throws TransferException, InterruptedException {
        try {
            return FtpSession.open(
                    place, context.credential() instanceof TransferPassword own ? own : ANONYMOUS, timeout, policy);
        } catch (FtpRefusedException e) {
            throw FtpRefusals.of(e, "us at " + place.server());
        } catch (IOException e) {
            TransferException why = FtpRefusals.of(e, "connecting to " + place.server());
            throw new TransferException(
                    Kind.SERVER,
                    "the FTP server " + place.server() + " cannot be reached: " + why.sentence(),
                    "Check the host and the port in the URL; try again later.",
                    e);
        }
    }

    private static void end(FtpSession session) throws TransferException, InterruptedException {
        try {
            session.close();
        } catch (IOException e) {
            throw FtpRefusals.of(e, "closing a connection");
        }
    }

    /** Nothing is kept open between two calls. */
    @Override
    public void close() {}
}
