// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jobgate.job.Reason;
import org.jobgate.site.SiteFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of a file of lines. An answer is never older than the interval: if the last look at the file is older, the caller waits for a new
 * look, which costs no more than asking for the file's times where it has not changed. Of all who ask at once, one look serves all.
 *
 * <p>A file that is broken, unreadable or gone changes nothing: the content of before holds, and {@link #trouble} says so until the file is
 * mended. While the file system does not answer there is no content, for what it would have said may be a ban.
 */
public final class WatchedFile<T> implements Watched {

    /** More bytes than any real list has: 100,000 long lines. */
    static final long MAX_BYTES = 32L * 1024 * 1024;

    /** Lines, for a line takes more memory than its bytes. */
    static final int MAX_LINES = 500_000;

    /** How long anybody waits for a look: a file server that hangs must not hold every request for ever. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** What stands in the place of bytes that are not UTF-8. */
    private static final char NOT_UTF_8 = '\uFFFD';

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

    private final Path file;
    private final Reader<T> reader;
    private final Watch watch;

    /** What the newest look that has ended found. */
    private volatile Known<T> last;

    /** The look that is on its way; null if none is. Guarded by this. */
    private @Nullable Look running;

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
     * @param interval how old an answer may be
     * @param nanoTime a monotonic clock, e.g. {@code System::nanoTime}
     * @param executor looks at the file
     */
    public record Watch(Duration interval, LongSupplier nanoTime, Executor executor) {}

    /**
     * What is known of the file.
     *
     * @param stamp of the state that was read; null if a further look must read it again, whatever its stamp
     * @param digest of the bytes that were read last
     */
    private record State<T>(
            SiteFile.@Nullable Stamp stamp,
            String digest,
            @Nullable T content,
            @Nullable String trouble) {}

    /**
     * What a look found.
     *
     * @param begun when the look began, by the watch's clock: changes of before are in it, those of after need not be
     */
    private record Known<T>(long begun, State<T> state) {}

    /** A look that is on its way; {@code ended} is complete when what it found is in {@link #last}. */
    private record Look(long begun, CompletableFuture<Boolean> ended) {}

    /** Reads the file for the first time. */
    public WatchedFile(Path file, Reader<T> reader, Watch watch) {
        this.file = requireNonNull(file, "file is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.watch = requireNonNull(watch, "watch is null");
        long begun = watch.nanoTime().getAsLong();
        this.last = new Known<>(begun, readAgain(new State<>(null, "", null, null)));
    }

    /** What the file says, or said last; empty if it could never be read, or cannot be looked at now. */
    public Optional<T> content() {
        State<T> known = known();
        return known == null ? Optional.empty() : Optional.ofNullable(known.content());
    }

    /** Why there is no content, for an answer that cannot be said. */
    public String missing() {
        return "The file " + file.getFileName() + " cannot be used; the gateway's administrator sees why";
    }

    @Override
    public Optional<String> trouble() {
        State<T> known = known();
        return known == null
                ? Optional.of(file + " cannot be looked at: the file system has not answered for "
                        + MAX_WAIT.toSeconds() + " seconds. Nothing is decided by it until it does.")
                : Optional.ofNullable(known.trouble());
    }

    /** What was found by a look that began at most an interval ago; null if none ends in time. */
    private @Nullable State<T> known() {
        long asked = watch.nanoTime().getAsLong();
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        // a caller that finds an older look under way waits for its end, and then for a further one
        for (int looks = 0; looks <= 2; looks++) {
            Known<T> newest = last;
            if (isFresh(newest, asked)) {
                return newest.state();
            }
            if (!hasEnded(lookAgain(asked), end)) {
                return null;
            }
        }
        return null;
    }

    private boolean isFresh(Known<T> known, long asked) {
        return asked - known.begun() < watch.interval().toNanos() || known.begun() - asked >= 0;
    }

    private boolean hasEnded(Look look, long end) {
        try {
            return look.ended().get(Math.max(end - System.nanoTime(), 0), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            LOG.error("The look at {} failed", file, e.getCause());
            return false;
        }
    }

    /** The look that is on its way, or a new one: there is one at a time, so that a file system that hangs holds one thread. */
    private Look lookAgain(long asked) {
        Look look;
        synchronized (this) {
            Known<T> newest = last;
            if (isFresh(newest, asked)) {
                // it has ended since we looked for it
                return new Look(newest.begun(), CompletableFuture.completedFuture(true));
            }
            if (running != null) {
                return running;
            }
            look = new Look(watch.nanoTime().getAsLong(), new CompletableFuture<>());
            running = look;
        }
        try {
            watch.executor().execute(() -> look(look));
        } catch (RejectedExecutionException e) {
            // the service ends
            end(look);
            look.ended().complete(false);
        }
        return look;
    }

    private void look(Look look) {
        try {
            last = new Known<>(look.begun(), readAgain(last.state()));
            end(look);
            look.ended().complete(true);
        } finally {
            // after an Error too, somebody must be able to look again
            end(look);
            look.ended().completeExceptionally(new IllegalStateException("the look ended by an error"));
        }
    }

    private synchronized void end(Look look) {
        if (look.equals(running)) {
            running = null;
        }
    }

    private State<T> readAgain(State<T> before) {
        Instant lookedAt = Instant.now();
        SiteFile read;
        try {
            SiteFile.Stamp stamp = SiteFile.stamp(file, MAX_BYTES);
            if (stamp.equals(before.stamp())) {
                return before;
            }
            read = SiteFile.read(file, MAX_BYTES);
        } catch (IOException e) {
            return new State<>(null, "", before.content(), trouble(before, e));
        }
        SiteFile.Stamp stamp = read.stamp().isSettled(lookedAt) ? read.stamp() : null;
        String digest = read.digest();
        if (digest.equals(before.digest())) {
            return new State<>(stamp, digest, before.content(), before.trouble());
        }
        try {
            T content = reader.read(lines(read));
            LOG.info("{} was read.", file);
            return new State<>(stamp, digest, content, null);
        } catch (IOException | RuntimeException e) {
            // whatever a reader throws at what a file says, it must not end the watching
            return new State<>(stamp, digest, before.content(), trouble(before, e));
        }
    }

    private String trouble(State<T> before, Exception why) {
        String trouble = file + " cannot be used: " + Reason.of(why) + ". "
                + (before.content() == null ? "Nothing is decided by it." : "What it said before holds.");
        if (!trouble.equals(before.trouble())) {
            LOG.error("{} Mend it.", trouble);
        }
        return trouble;
    }

    /**
     * The line itself, if all of its bytes were UTF-8.
     *
     * @throws IllegalArgumentException if not: no caller would ever have the name in it, and a ban of it would ban nobody
     */
    static String requireText(String line) {
        if (line.indexOf(NOT_UTF_8) >= 0) {
            throw new IllegalArgumentException("it holds bytes that are not UTF-8");
        }
        return line;
    }

    /** A byte that is not UTF-8 spoils its own line only. */
    private static List<String> lines(SiteFile read) throws IOException {
        List<String> lines = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                read.open(), StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPLACE)))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (lines.size() == MAX_LINES) {
                    throw new IOException("it has more than " + MAX_LINES + " lines");
                }
                lines.add(line);
            }
        }
        return lines;
    }
}
