// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.globusrun.OutputAccess;
import org.jobgate.cli.globusrun.OutputFollower;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.tls.HttpReply;

/** {@code jobgate logs}, {@code get} and {@code put}: files move in pieces, and go on after a broken connection. */
final class FileVerbs {
    private static final int PIECE = 4 << 20;
    private static final Duration OUTAGE_MAX = Duration.ofMinutes(2);
    private static final Duration FOLLOW_WAIT = Duration.ofSeconds(20);

    private final Verbs.Context context;
    private final RestClient client;

    FileVerbs(Verbs.Context context) {
        this.context = requireNonNull(context, "context is null");
        this.client = context.client();
    }

    int logs() throws IOException, CommandException, InterruptedException {
        String id = ShortIds.ofJobs(client).whole(context.operands().getFirst());
        String stream = context.words().has(VerbOption.ERRORS) ? "stderr" : "stdout";
        boolean follows = context.words().has(VerbOption.FOLLOW);
        OutputAccess access = OutputAccess.of(
                client.http(),
                client.root() + "/jobs/" + id + "/" + stream,
                context.session().trace());
        OutputFollower.End end = new OutputFollower(
                        access,
                        stream,
                        context.out(),
                        context.console(),
                        follows ? FOLLOW_WAIT : Duration.ZERO,
                        () -> false)
                .follow();
        return switch (end) {
            case WHOLE -> ExitStatus.OK.code();
            case MISSING -> {
                context.console().note("The job has not written to its " + stream + ".");
                yield ExitStatus.OK.code();
            }
            case NO_ACCESS -> {
                context.console().error(OutputAccess.NO_ACCESS);
                yield ExitStatus.REFUSED.code();
            }
            case FAILED -> ExitStatus.REFUSED.code();
        };
    }

    /** The address of a file there, and the words that are left. */
    private record Place(String path, List<String> rest) {}

    /** @param hasPathFirst whether the path there comes before the local one */
    private Place place(boolean hasPathFirst) throws IOException, CommandException {
        List<String> operands = context.operands();
        String tree = context.words().value(VerbOption.TREE);
        String root;
        if (tree != null) {
            root = "/api/v1/trees/" + RestClient.encoded(tree) + "/content/";
        } else {
            root = "/jobs/" + ShortIds.ofJobs(client).whole(operands.getFirst()) + "/files/";
            operands = operands.subList(1, operands.size());
        }
        String there = hasPathFirst
                ? operands.getFirst()
                : operands.size() > 1
                        ? operands.get(1)
                        : String.valueOf(Path.of(operands.getFirst()).getFileName());
        String below = there.replaceFirst("^/+", "");
        List<String> rest = hasPathFirst ? operands.subList(1, operands.size()) : operands;
        return new Place(root + RestClient.encodedPath(below), rest);
    }

    int get() throws IOException, CommandException, InterruptedException {
        Place place = place(true);
        String name =
                URLDecoder.decode(place.path().substring(place.path().lastIndexOf('/') + 1), StandardCharsets.UTF_8);
        String local = place.rest().isEmpty() ? name : place.rest().getFirst();
        if (local.equals("-")) {
            fetch(place.path(), context.out());
            context.out().flush();
            return ExitStatus.OK.code();
        }
        Path target = Path.of(local);
        Path to = Files.isDirectory(target) ? target.resolve(name) : target;
        try {
            long bytes = isOther(to) ? fetchInto(to, place.path()) : fetchAsFile(to, place.path());
            context.console().line(to + ": " + bytes + " bytes.");
        } catch (java.nio.file.FileSystemException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The file " + to + " cannot be written: " + Sentence.reason(e) + ".", e);
        }
        return ExitStatus.OK.code();
    }

    /** Whether something is there that no file may take the place of: a device, or a pipe that somebody reads from. */
    private static boolean isOther(Path to) {
        return Files.exists(to) && !Files.isRegularFile(to) && !Files.isDirectory(to);
    }

    private long fetchInto(Path to, String path) throws IOException, CommandException, InterruptedException {
        try (OutputStream out = Files.newOutputStream(to, StandardOpenOption.WRITE)) {
            return fetch(path, out);
        }
    }

    /** The name changes from what was there before to the whole new file; of a part nothing is left. */
    private long fetchAsFile(Path to, String path) throws IOException, CommandException, InterruptedException {
        // a name that nobody can know beforehand: where others may write, it could be a link of theirs
        Path part = to.resolveSibling(".jobgate-" + UUID.randomUUID() + ".part");
        try {
            long bytes;
            try (OutputStream out =
                    Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                bytes = fetch(path, out);
            }
            Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
            return bytes;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private long fetch(String path, OutputStream to) throws IOException, CommandException, InterruptedException {
        long offset = 0;
        String same = "";
        while (true) {
            String range = "Range: bytes=" + offset + "-" + (offset + PIECE - 1) + "\r\n" + same;
            HttpReply reply = again("GET", path, range, new byte[0]);
            // a file that is shorter now than what was read of it was cut: that is refused below
            boolean isEnd =
                    reply.status() == 416 && reply.header("content-range").equals("bytes */" + offset);
            if (isEnd || reply.status() == 204) {
                return offset;
            }
            byte[] piece = RestClient.checked(reply);
            if (reply.status() != 206 && offset > 0) {
                throw new CommandException(
                        ExitStatus.CONTACT,
                        "The file changed while it was fetched, or the server sends no parts. Fetch it again.");
            }
            if (reply.status() == 206 && !reply.header("content-range").startsWith("bytes " + offset + "-")) {
                throw new CommandException(
                        ExitStatus.CONTACT, "The server answered with another part of the file than asked for.");
            }
            write(piece, to);
            offset += piece.length;
            same = sameFile(reply);
            String size = reply.header("content-range").replaceFirst(".*/", "");
            boolean isWhole = reply.status() == 200 || piece.length < PIECE || size.equals(Long.toString(offset));
            if (isWhole) {
                return offset;
            }
        }
    }

    private static void write(byte[] piece, OutputStream to) throws CommandException {
        try {
            to.write(piece);
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "What was fetched cannot be written: " + Sentence.reason(e) + ".", e);
        }
        // a PrintStream keeps its failures to itself
        if (to instanceof PrintStream print && print.checkError()) {
            throw new CommandException(ExitStatus.USAGE, "What was fetched cannot be written to stdout.");
        }
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

    int put() throws IOException, CommandException, InterruptedException {
        Place place = place(false);
        Path local = Path.of(place.rest().getFirst());
        try (FileChannel file = FileChannel.open(local, StandardOpenOption.READ)) {
            long size = file.size();
            if (size == 0) {
                RestClient.checked(again("PUT", place.path(), "Content-Length: 0\r\n", new byte[0]));
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
                RestClient.checked(again(
                        "PUT",
                        place.path(),
                        "Content-Type: application/octet-stream\r\n" + range + "Content-Length: " + piece.length
                                + "\r\n",
                        piece));
                offset += piece.length;
            }
            context.console().line(local + ": " + size + " bytes.");
        } catch (java.nio.file.FileSystemException e) {
            throw new CommandException(
                    ExitStatus.USAGE, "The file " + local + " cannot be read: " + Sentence.reason(e) + ".", e);
        }
        return ExitStatus.OK.code();
    }

    /** The same piece may be asked for or brought twice. */
    private HttpReply again(String method, String path, String headers, byte[] body)
            throws IOException, InterruptedException {
        Outage outage = new Outage(context.console(), OUTAGE_MAX);
        while (true) {
            try {
                HttpReply reply = client.exchange(method, path, headers, body);
                outage.over();
                return reply;
            } catch (IOException e) {
                outage.failed(e);
                Thread.sleep(500);
            }
        }
    }
}
