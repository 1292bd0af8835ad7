// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a file of lines says, read again when the file has changed. Nobody waits for the reading: until the new content is there the old
 * one holds. A new file that is broken changes nothing: the old content holds, and {@link #trouble} says so until the file is mended.
 */
public final class WatchedFile<T> implements Watched {

    /** More bytes than any real list has: 100,000 long lines. */
    static final long MAX_BYTES = 32L * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

    private final Path file;
    private final Reader<T> reader;
    private final Watch watch;
    private final ReentrantLock reading = new ReentrantLock();

    private volatile State<T> state;
    private volatile long checkedAt;

    /** Makes the content of the lines. */
    @FunctionalInterface
    public interface Reader<T> {

        /**
         * Reads all lines.
         *
         * @throws IOException that says what is wrong, if the whole is of no use
         */
        T read(List<String> lines) throws IOException;
    }

    /**
     * How a file is watched.
     *
     * @param interval how long a change may go unnoticed
     * @param nanoTime a monotonic clock, e.g. {@code System::nanoTime}
     * @param executor reads the file when it has changed
     */
    public record Watch(Duration interval, LongSupplier nanoTime, Executor executor) {}

    private record State<T>(
            @Nullable Stamp stamp,
            @Nullable T content,
            @Nullable String trouble) {}

    private record Stamp(
            FileTime modified, long size, @Nullable Object fileKey) {}

    /** Reads the file for the first time. */
    public WatchedFile(Path file, Reader<T> reader, Watch watch) {
        this.file = requireNonNull(file, "file is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.watch = requireNonNull(watch, "watch is null");
        this.checkedAt = watch.nanoTime().getAsLong();
        this.state = readAgain(new State<>(null, null, null));
    }

    /** What the file says, or said last; empty if it could never be read. */
    public Optional<T> content() {
        if (watch.nanoTime().getAsLong() - checkedAt >= watch.interval().toNanos() && !reading.isLocked()) {
            watch.executor().execute(this::refresh);
        }
        return Optional.ofNullable(state.content());
    }

    /** Why there is no content, for an answer that cannot be said. */
    public String missing() {
        return "The file " + file.getFileName() + " cannot be used; the gateway's administrator sees why";
    }

    @Override
    public Optional<String> trouble() {
        content();
        return Optional.ofNullable(state.trouble());
    }

    private void refresh() {
        if (!reading.tryLock()) {
            return;
        }
        try {
            if (watch.nanoTime().getAsLong() - checkedAt >= watch.interval().toNanos()) {
                checkedAt = watch.nanoTime().getAsLong();
                state = readAgain(state);
            }
        } finally {
            reading.unlock();
        }
    }

    private State<T> readAgain(State<T> before) {
        Stamp stamp = null;
        try {
            stamp = stamp();
            if (stamp.equals(before.stamp())) {
                return before;
            }
            T content = reader.read(lines());
            LOG.info("{} was read.", file);
            return new State<>(stamp, content, null);
        } catch (IOException e) {
            String trouble = file + " cannot be used: " + Reason.of(e) + ". "
                    + (before.content() == null ? "Nothing is decided by it." : "What it said before holds.");
            if (!trouble.equals(before.trouble())) {
                LOG.error("{} Mend it.", trouble);
            }
            return new State<>(stamp, before.content(), trouble);
        }
    }

    private Stamp stamp() throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.size() > MAX_BYTES) {
            throw new IOException("it has " + attributes.size() + " bytes; at most " + MAX_BYTES + " are read");
        }
        return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }

    /** A byte that is not UTF-8 spoils its own line only: it becomes U+FFFD, which no certificate matches. */
    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                Files.newInputStream(file),
                StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE)))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        }
        return lines;
    }
}
