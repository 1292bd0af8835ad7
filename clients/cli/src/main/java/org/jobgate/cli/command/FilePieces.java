// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.HttpReply;

/** Moves one file to or from an address in pieces, and goes on after a broken connection. */
public final class FilePieces {
    private static final int PIECE = 4 << 20;
    private static final Duration OUTAGE_MAX = Duration.ofMinutes(2);
    private static final long PAUSE_MS = 500;

    /** The address of the file. */
    public interface Remote {
        /** One exchange, whatever the answer. */
        HttpReply exchange(String method, String headers, byte[] body) throws IOException;

        /**
         * The content of an answer.
         *
         * @throws CommandException the server refused
         */
        byte[] checked(HttpReply reply) throws CommandException;
    }

    private final Remote remote;
    private final Console console;
    private final LongConsumer progress;

    /** @param progress told how many bytes have been moved, again and again */
    public FilePieces(Remote remote, Console console, LongConsumer progress) {
        this.remote = requireNonNull(remote, "remote is null");
        this.console = requireNonNull(console, "console is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    /**
     * Fetches it to a path, as {@link NewFile} writes it.
     *
     * @return its size
     */
    public long fetch(Path to) throws IOException, CommandException, InterruptedException {
        return NewFile.write(to, this::fetch);
    }

    /** Fetches it to a stream; answers its size. */
    public long fetch(OutputStream to) throws IOException, CommandException, InterruptedException {
        long offset = 0;
        String same = "";
        while (true) {
            String range = "Range: bytes=" + offset + "-" + (offset + PIECE - 1) + "\r\n" + same;
            HttpReply reply = again("GET", range, new byte[0]);
            // a file that is shorter now than what was read of it was cut: that is refused below
            boolean isEnd =
                    reply.status() == 416 && reply.header("content-range").equals("bytes */" + offset);
            if (isEnd || reply.status() == 204) {
                return offset;
            }
            byte[] piece = remote.checked(reply);
            if (reply.status() != 206 && offset > 0) {
                throw new CommandException(
                        ExitStatus.CONTACT,
                        "The file changed while it was fetched, or the server sends no parts. Fetch it again.");
            }
            if (reply.status() == 206 && !reply.header("content-range").startsWith("bytes " + offset + "-")) {
                throw new CommandException(
                        ExitStatus.CONTACT, "The server answered with another part of the file than asked for.");
            }
            NewFile.piece(piece, piece.length, to);
            offset += piece.length;
            progress.accept(offset);
            same = sameFile(reply);
            boolean isWhole = reply.status() == 200 || isEnd(piece, offset, reply.header("content-range"));
            if (isWhole) {
                return offset;
            }
        }
    }

    /**
     * Whether a part was the last one. A server may send less than was asked for (RFC 9110, 15.3.7), so where it says how large the file
     * is, that counts; else a part that is shorter is the last.
     *
     * @param offset behind the part
     * @param range its Content-Range
     */
    private static boolean isEnd(byte[] piece, long offset, String range) throws CommandException {
        String size = range.substring(range.indexOf('/') + 1);
        if (!size.matches("[0-9]{1,18}")) {
            return piece.length < PIECE;
        }
        if (piece.length == 0 && offset < Long.parseLong(size)) {
            throw new CommandException(
                    ExitStatus.CONTACT,
                    "The server sent nothing more after " + offset + " of the file's " + size
                            + " bytes. Fetch it again.");
        }
        return offset >= Long.parseLong(size);
    }

    /** The header by which the next part is one of the same file: that of jobs, which also grow, or that of trees. */
    private static String sameFile(HttpReply reply) {
        String file = reply.header("jobgate-file");
        String tag = reply.header("etag");
        if (!file.isEmpty()) {
            return "Jobgate-File: " + file + "\r\n";
        }
        return tag.startsWith("\"") ? "If-Range: " + tag + "\r\n" : "";
    }

    /** Brings a file of this machine there; answers its size. */
    public long bring(Path local) throws IOException, CommandException, InterruptedException {
        try (FileChannel file = FileChannel.open(local, StandardOpenOption.READ)) {
            long size = file.size();
            if (size == 0) {
                remote.checked(again("PUT", "Content-Length: 0\r\n", new byte[0]));
            }
            for (long offset = 0; offset < size; ) {
                byte[] piece = new byte[(int) Math.min(PIECE, size - offset)];
                ByteBuffer buffer = ByteBuffer.wrap(piece);
                while (buffer.hasRemaining()) {
                    if (file.read(buffer, offset + buffer.position()) < 0) {
                        throw new CommandException(
                                ExitStatus.USAGE, "The file " + local + " became shorter while it was sent.");
                    }
                }
                String range =
                        "Content-Range: bytes " + offset + "-" + (offset + piece.length - 1) + "/" + size + "\r\n";
                remote.checked(again(
                        "PUT",
                        "Content-Type: application/octet-stream\r\n" + range + "Content-Length: " + piece.length
                                + "\r\n",
                        piece));
                offset += piece.length;
                progress.accept(offset);
            }
            return size;
        } catch (FileSystemException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The file " + local + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    /** The same piece may be asked for or brought twice. */
    private HttpReply again(String method, String headers, byte[] body) throws IOException, InterruptedException {
        Outage outage = new Outage(console, OUTAGE_MAX);
        while (true) {
            try {
                HttpReply reply = remote.exchange(method, headers, body);
                outage.over();
                return reply;
            } catch (IOException e) {
                outage.failed(e);
                Thread.sleep(PAUSE_MS);
            }
        }
    }
}
