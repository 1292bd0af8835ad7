// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.command.ProgressBar;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.wire.Epr;

/**
 * Brings files of this machine into a job's directory and fetches files from there, through the gateway. Goes on where it stopped when a
 * connection breaks; silence of two minutes ends it. A fetched file has its name when it is whole.
 */
final class OwnFileMover {
    private static final Duration OUTAGE_MAX = Duration.ofMinutes(2);
    private static final int PIECE_BYTES_MAX = 4 * 1024 * 1024;
    private static final int PIECE_BYTES_MIN = 16 * 1024;
    private static final long PAUSE_MS_MIN = 100;
    private static final long PAUSE_MS_MAX = 3_000;

    private final Session session;
    private final Console console;
    private final Packing packing;
    private final Outage outage;
    private int pieceBytes = PIECE_BYTES_MAX / 4;
    private long pauseMs = PAUSE_MS_MIN;

    OwnFileMover(Session session, Console console, Packing packing) {
        this.session = requireNonNull(session, "session is null");
        this.packing = requireNonNull(packing, "packing is null");
        this.console = requireNonNull(console, "console is null");
        this.outage = new Outage(console, OUTAGE_MAX);
    }

    /** Brings the files; the job's directory is there then even if there are none. */
    void bring(Epr job, List<OwnFiles.Copy> files) throws CommandException, InterruptedException {
        try (HttpsClient http = session.http().another()) {
            InputAccess access = new InputAccess(http, job, session.trace());
            makeDirectory(access);
            packing.offered(access.offered());
            for (OwnFiles.Copy copy : files) {
                bring(access, copy);
            }
        } catch (IOException e) {
            throw new CommandException(ExitStatus.USAGE, "A file cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    private void makeDirectory(InputAccess access) throws CommandException, InterruptedException {
        while (true) {
            try {
                if (accepted(access.makeDirectory(), "the job's directory")) {
                    return;
                }
            } catch (IOException e) {
                broke(e, "the job's directory");
            }
        }
    }

    private void bring(InputAccess access, OwnFiles.Copy copy)
            throws IOException, CommandException, InterruptedException {
        try (FileChannel file = FileChannel.open(copy.local(), StandardOpenOption.READ)) {
            boolean isProgram = Files.isExecutable(copy.local());
            long total = file.size();
            FileTime time = Files.getLastModifiedTime(copy.local());
            ProgressBar bar = new ProgressBar(console, copy.below(), total);
            long offset = 0;
            boolean isWhole = false;
            while (!isWhole) {
                byte[] piece = read(file, offset, (int) Math.min(pieceBytes, total - offset));
                if (file.size() != total
                        || !Files.getLastModifiedTime(copy.local()).equals(time)) {
                    throw new CommandException(
                            ExitStatus.USAGE, "File " + copy.local() + " was changed while it was sent.");
                }
                try {
                    Packing.Sent sent = packing.toSend(piece);
                    long begin = System.nanoTime();
                    InputAccess.Answer answer = access.put(copy.below(), offset, piece.length, sent, total, isProgram);
                    if (accepted(answer, copy.below())) {
                        packing.went(piece.length, sent.bytes().length, System.nanoTime() - begin);
                        offset = ((InputAccess.Kept) answer).bytes();
                        isWhole = offset == total;
                        grow();
                    }
                } catch (IOException e) {
                    broke(e, copy.below());
                    offset = kept(access, copy.below());
                }
                bar.at(offset);
            }
            bar.done("sent");
        }
    }

    private static byte[] read(FileChannel file, long offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, offset + buffer.position()) < 0) {
                throw new IOException("it was cut while it was sent");
            }
        }
        return buffer.array();
    }

    /** After a break: what came of the last piece; nothing is kept of a file that is whole, and then it is sent anew. */
    private long kept(InputAccess access, String way) throws CommandException, InterruptedException {
        while (true) {
            try {
                InputAccess.Answer answer = access.kept(way);
                if (accepted(answer, way)) {
                    return ((InputAccess.Kept) answer).bytes();
                }
            } catch (IOException e) {
                broke(e, way);
            }
        }
    }

    private boolean accepted(InputAccess.Answer answer, String what) throws CommandException, InterruptedException {
        return switch (answer) {
            case InputAccess.Kept kept -> {
                pauseMs = PAUSE_MS_MIN;
                yield true;
            }
            case InputAccess.Busy busy -> {
                broke(new IOException(busy.sentence()), what);
                yield false;
            }
            case InputAccess.Refused refused ->
                throw new CommandException(ExitStatus.REFUSED, "Error sending " + what + ": " + refused.sentence());
        };
    }

    /** Where connections break early, only small pieces come whole. */
    private void broke(IOException e, String what) throws CommandException, InterruptedException {
        pieceBytes = Math.max(PIECE_BYTES_MIN, pieceBytes / 2);
        try {
            outage.failed(e);
        } catch (IOException last) {
            throw CommandException.ofContact("Error moving " + what + ": ", last);
        }
        Thread.sleep(pauseMs);
        pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
    }

    private void grow() {
        pieceBytes = Math.min(PIECE_BYTES_MAX, pieceBytes * 2);
    }

    /**
     * Fetches the files; one that the job did not write is told, and the others are fetched all the same.
     *
     * @return whether all were fetched
     * @throws CommandException contact was lost
     */
    boolean fetch(Epr job, List<OwnFiles.Copy> files) throws CommandException, InterruptedException {
        boolean isWhole = true;
        try (HttpsClient http = session.http().another()) {
            outage.over();
            for (OwnFiles.Copy copy : files) {
                String name = "files/" + InputAccess.encoded(copy.below());
                try {
                    fetch(new OutputAccess(http, job, name, packing, session.trace()), copy);
                } catch (CommandException e) {
                    if (e.status() == ExitStatus.CONTACT || e.status() == ExitStatus.CREDENTIAL) {
                        throw e;
                    }
                    console.error(String.valueOf(e.getMessage()));
                    isWhole = false;
                }
            }
        }
        return isWhole;
    }

    private void fetch(OutputAccess access, OwnFiles.Copy copy) throws CommandException, InterruptedException {
        Path target = copy.local().toAbsolutePath();
        Path part = target.resolveSibling(
                "." + target.getFileName() + ".part-" + ProcessHandle.current().pid());
        try {
            try (FileChannel file = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                pour(access, copy.below(), file);
                file.force(true);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "File " + copy.local() + " cannot be written: " + Sentence.reason(e) + ".", e);
        } finally {
            deleted(part);
        }
    }

    private void deleted(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            console.error("File " + part + " is left over: " + Sentence.reason(e) + ".");
        }
    }

    private void pour(OutputAccess access, String way, FileChannel file)
            throws IOException, CommandException, InterruptedException {
        ProgressBar bar = new ProgressBar(console, way, -1);
        long offset = 0;
        String identity = "";
        while (true) {
            OutputAccess.Answer answer;
            try {
                answer = access.read(offset, pieceBytes, identity, Duration.ZERO);
            } catch (IOException e) {
                broke(e, way);
                continue;
            }
            switch (answer) {
                case OutputAccess.Piece piece -> {
                    outage.over();
                    pauseMs = PAUSE_MS_MIN;
                    grow();
                    ByteBuffer bytes = ByteBuffer.wrap(piece.bytes());
                    while (bytes.hasRemaining()) {
                        file.write(bytes, offset + bytes.position());
                    }
                    offset += piece.bytes().length;
                    identity = piece.file().isEmpty() ? identity : piece.file();
                    bar.at(offset);
                    if (piece.isComplete() || piece.bytes().length == 0) {
                        bar.done("fetched");
                        return;
                    }
                }
                case OutputAccess.Changed changed -> {
                    broke(new IOException(changed.sentence()), way);
                    file.truncate(0);
                    offset = 0;
                    identity = "";
                }
                case OutputAccess.Busy busy -> broke(new IOException(busy.sentence()), way);
                case OutputAccess.Refused refused ->
                    throw new CommandException(ExitStatus.REFUSED, "Error fetching " + way + ": " + refused.sentence());
            }
        }
    }
}
