// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a job event log (the text format of HTCondor 23.x) from a checkpoint on: whole events only, the rest when its end is written.
 * An event of a number that we do not know is given like any other; text that is no event is skipped whole.
 *
 * <p>When the log was rotated ({@code EventLog} renamed to {@code EventLog.1} or {@code .old} and begun anew) the reader goes on in the
 * renamed file, which it knows by its inode, and then in the new one. Reading again from an earlier checkpoint gives the same events
 * again. Not for two threads at once.
 */
public final class JobEventLog {

    /** Bytes of one event; what is longer and has no end is skipped. */
    public static final int MAX_EVENT = 1024 * 1024;

    private static final int READ = 4 * 1024 * 1024;
    private static final int MAX_ROTATIONS = 20;
    private static final byte[] END = "\n...\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern HEAD = Pattern.compile(
            "([0-9]{3}) \\((-?[0-9]{1,9})\\.(-?[0-9]{1,9})\\.-?[0-9]{1,9}\\) "
                    + "((?:[0-9]{4}-[0-9]{2}-|[0-9]{2}/)[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,6})?Z?) ?(.*)");

    /**
     * Where to go on.
     *
     * @param inode the file's number; 0 for the beginning of what is there
     * @param offset bytes of it that were read
     */
    public record Checkpoint(long inode, long offset) {

        /** The beginning. */
        public static final Checkpoint START = new Checkpoint(0, 0);

        /** {@code inode:offset}. */
        @Override
        public String toString() {
            return inode + ":" + offset;
        }

        /** From {@link #toString}; the beginning where it is something else. */
        public static Checkpoint parse(String text) {
            Matcher matcher = Pattern.compile("([0-9]{1,18}):([0-9]{1,18})").matcher(text);
            return matcher.matches()
                    ? new Checkpoint(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
                    : START;
        }
    }

    private final Path path;
    private Checkpoint checkpoint;

    public JobEventLog(Path path, Checkpoint from) {
        this.path = requireNonNull(path, "path is null");
        this.checkpoint = requireNonNull(from, "from is null");
    }

    /** Behind the events that were given. */
    public Checkpoint checkpoint() {
        return checkpoint;
    }

    /**
     * The next events in order, at most so many; empty if there are none at present or the log is not there yet.
     *
     * @throws IOException if the log cannot be read
     */
    public List<JobEvent> next(int limit) throws IOException {
        List<JobEvent> events = new ArrayList<>();
        for (Path file : files()) {
            read(file, limit - events.size(), events);
            if (events.size() >= limit) {
                break;
            }
        }
        return events;
    }

    /** The file that was read last and those that are newer; all if it is not there any more. */
    private List<Path> files() throws IOException {
        List<Path> newestFirst = new ArrayList<>();
        for (Path candidate : candidates()) {
            if (Files.exists(candidate)) {
                newestFirst.add(candidate);
                if (inode(candidate) == checkpoint.inode()) {
                    break;
                }
            }
        }
        return newestFirst.reversed();
    }

    private List<Path> candidates() {
        List<Path> candidates = new ArrayList<>(List.of(path, path.resolveSibling(path.getFileName() + ".old")));
        for (int i = 1; i <= MAX_ROTATIONS; i++) {
            candidates.add(path.resolveSibling(path.getFileName() + "." + i));
        }
        return candidates;
    }

    private static long inode(Path file) throws IOException {
        return ((Number) Files.getAttribute(file, "unix:ino")).longValue();
    }

    private void read(Path file, int limit, List<JobEvent> events) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long inode = inode(file);
            long from = inode == checkpoint.inode() && checkpoint.offset() <= channel.size() ? checkpoint.offset() : 0;
            checkpoint = new Checkpoint(inode, from);
            int wanted = events.size() + limit;
            while (events.size() < wanted && readBlock(channel, wanted, events)) {
                // the next block
            }
        } catch (NoSuchFileException rotatedMeanwhile) {
            // it has another name now, under which the next call finds it
            return;
        }
    }

    /** Reads some of the file; answers whether it came further. */
    private boolean readBlock(FileChannel channel, int wanted, List<JobEvent> events) throws IOException {
        long from = checkpoint.offset();
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(READ, channel.size() - from));
        while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {
            // until it is full or the file is over
        }
        byte[] bytes = buffer.array();
        int length = buffer.position();
        int done = take(bytes, length, from, wanted, events);
        if (done == 0 && length > MAX_EVENT) {
            done = length; // no event is as long as this: it has no end
        }
        checkpoint = new Checkpoint(checkpoint.inode(), from + done);
        return done > 0;
    }

    private static int take(byte[] bytes, int length, long from, int wanted, List<JobEvent> events) {
        int begin = 0;
        while (events.size() < wanted) {
            int end = indexOfEnd(bytes, begin, length);
            if (end < 0) {
                break;
            }
            parse(new String(bytes, begin, end - begin, StandardCharsets.UTF_8), from + end + END.length, events);
            begin = end + END.length;
        }
        return begin;
    }

    private static int indexOfEnd(byte[] bytes, int from, int length) {
        for (int i = from; i + END.length <= length; i++) {
            if (Arrays.equals(bytes, i, i + END.length, END, 0, END.length)) {
                return i;
            }
        }
        return -1;
    }

    private static void parse(String text, long end, List<JobEvent> events) {
        int line = text.indexOf('\n');
        Matcher head = HEAD.matcher(line < 0 ? text : text.substring(0, line));
        if (head.matches()) {
            events.add(new JobEvent(
                    Integer.parseInt(head.group(1)),
                    Long.parseLong(head.group(2)),
                    Long.parseLong(head.group(3)),
                    head.group(4),
                    head.group(5),
                    line < 0 ? "" : text.substring(line + 1),
                    end));
        }
    }
}
