// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * BLAH's accounting log as it grows: {@code blahp.log-YYYYMMDD} for each day (UTC) on which lines were added. Up to where the records were read
 * stands beside it and is written after the lines; lines that a run wrote which was killed before that are recognized and not written
 * again.
 */
final class BlahLogFiles implements AutoCloseable {

    private static final String NAME = "blahp.log-";
    private static final String PLACE = ".jobgate-blahp";
    private static final Set<OpenOption> WRITE = Set.of(
            StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    /** Names of users stand in it. */
    private static final FileAttribute<?> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));

    private final Path directory;
    private final Clock clock;
    private final FileChannel lock;
    private final Set<String> already = new HashSet<>();
    private State state;

    /**
     * What was done.
     *
     * @param place up to where the records were read; empty for nothing
     * @param file the log that was written last
     * @param size what it had then, in bytes
     */
    private record State(String place, String file, long size) {}

    private BlahLogFiles(Path directory, Clock clock, FileChannel lock, State state) {
        this.directory = directory;
        this.clock = clock;
        this.lock = lock;
        this.state = state;
    }

    /**
     * Opens the log of a directory that is there.
     *
     * @throws IOException it cannot be written, or another run writes it; the message is for a person
     */
    static BlahLogFiles open(Path directory, Clock clock) throws IOException {
        FileChannel lock = FileChannel.open(directory.resolve(PLACE + ".lock"), WRITE, MODE);
        try {
            if (lock.tryLock() == null) {
                throw new IOException("another run of this command writes there");
            }
            BlahLogFiles files = new BlahLogFiles(directory, clock, lock, read(directory, clock));
            files.readUntold();
            return files;
        } catch (OverlappingFileLockException e) {
            lock.close();
            throw new IOException("another run of this command writes there", e);
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static String today(Clock clock) {
        return NAME + DateTimeFormatter.BASIC_ISO_DATE.format(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
    }

    private static State read(Path directory, Clock clock) throws IOException {
        try {
            String[] lines = Files.readString(directory.resolve(PLACE)).split("\n", -1);
            if (lines.length == 4 && lines[1].matches(NAME + "[0-9]{8}") && lines[2].matches("[0-9]{1,15}")) {
                return new State(lines[0], lines[1], Long.parseLong(lines[2]));
            }
            throw new IOException(
                    directory.resolve(PLACE)
                            + " does not say up to where the records were read. Remove it, and say with --since from when on lines are missing");
        } catch (NoSuchFileException e) {
            String file = today(clock);
            Path log = directory.resolve(file);
            return new State("", file, Files.exists(log) ? Files.size(log) : 0);
        }
    }

    /** Lines behind what is known to have been written, by a run that did not live to say so. What it left of half a line goes. */
    private void readUntold() throws IOException {
        List<Path> logs = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, NAME + "????????")) {
            for (Path entry : entries) {
                if (String.valueOf(entry.getFileName()).compareTo(state.file()) >= 0) {
                    logs.add(entry);
                }
            }
        }
        for (Path log : logs) {
            try (FileChannel channel = FileChannel.open(log, WRITE)) {
                long from = log.endsWith(state.file()) ? Math.min(state.size(), channel.size()) : 0;
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size() - from));
                while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
                    // the rest of it
                }
                String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
                int end = text.lastIndexOf('\n') + 1;
                if (end < text.length()) {
                    channel.truncate(from + end);
                }
                new String(bytes.array(), 0, end, StandardCharsets.UTF_8)
                        .lines()
                        .forEach(already::add);
            }
        }
        save(state);
    }

    /** Up to where the records were read; null for nothing. */
    @Nullable
    String place() {
        return state.place().isEmpty() ? null : state.place();
    }

    /**
     * Adds lines, and says then up to where the records were read with them.
     *
     * @throws IOException they were not added
     */
    void append(String lines, String place) throws IOException {
        StringBuilder text = new StringBuilder();
        lines.lines()
                .filter(line -> !already.contains(line))
                .forEach(line -> text.append(line).append('\n'));
        String file = text.isEmpty() ? state.file() : today(clock);
        Path log = directory.resolve(file);
        long size = state.size();
        if (!text.isEmpty()) {
            try (FileChannel channel = FileChannel.open(log, WRITE, MODE)) {
                long before = channel.size();
                ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
                try {
                    while (bytes.hasRemaining()) {
                        int unused = channel.write(bytes, before + bytes.position());
                    }
                    channel.force(true);
                } catch (IOException e) {
                    channel.truncate(before);
                    throw e;
                }
                size = channel.size();
            }
        } else if (Files.exists(log)) {
            size = Files.size(log);
        }
        save(new State(place, file, size));
    }

    private void save(State next) throws IOException {
        Path part = directory.resolve(PLACE + ".part");
        Files.deleteIfExists(part);
        try (FileChannel channel = FileChannel.open(part, WRITE, MODE)) {
            ByteBuffer bytes = ByteBuffer.wrap(
                    (next.place() + "\n" + next.file() + "\n" + next.size() + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                int unused = channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(part, directory.resolve(PLACE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        state = next;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
