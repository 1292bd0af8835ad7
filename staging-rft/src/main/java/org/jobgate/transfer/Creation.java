// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.transfer.protocol.BlockInputStream;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.Protocol;
import org.jobgate.transfer.protocol.Source;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Copies whose destination may be there already ({@link org.jobgate.job.CreationFlag}). What was there before the first attempt is
 * remembered, on disk, before anything is written: a further attempt, also one after a {@code kill -9}, begins behind the same bytes, so that
 * nothing is appended twice, and knows its own unfinished file from one that was there.
 */
final class Creation {

    private static final String BEHIND = "behind ";
    private static final String NEW = "new";

    private final Protocols protocols;

    /** The destinations that are appended to at present, each with those who wait for it. */
    private final Map<String, Turn> turns = new ConcurrentHashMap<>();

    private static final class Turn {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    Creation(Protocols protocols) {
        this.protocols = protocols;
    }

    /**
     * Whether the destination was there before the transfer began, and so is to stay. That it was not is marked.
     *
     * @param context whose marker is that of all attempts before
     */
    boolean wasThere(URI destination, TransferContext context) throws TransferException, InterruptedException {
        if (context.marker() != null) {
            return false; // what is there by now is of an earlier attempt
        }
        if (protocols.of(destination).existing(destination, context.at(End.DESTINATION)) >= 0) {
            return true;
        }
        mark(context.progress(), NEW);
        return false;
    }

    /** The marker that a protocol has set, without ours. */
    static @Nullable String ofProtocol(@Nullable String marker) {
        return NEW.equals(marker) ? null : marker;
    }

    private static void mark(Progress progress, String text) throws InterruptedException {
        progress.mark(text);
        if (Thread.interrupted()) {
            throw new InterruptedException("stopped before it was marked where the file ended");
        }
    }

    /** Copies behind what is there. Others of this gateway that append to the same file wait meanwhile. */
    void append(URI source, URI destination, TransferContext context) throws TransferException, InterruptedException {
        String key = destination.toString();
        Turn turn = turns.compute(key, (name, known) -> {
            Turn mine = known == null ? new Turn() : known;
            mine.users++;
            return mine;
        });
        try {
            while (!turn.lock.tryLock(1, TimeUnit.SECONDS)) {
                context.progress().moved(0); // it waits, and is not silent
            }
            try {
                appendInTurn(source, destination, context);
            } finally {
                turn.lock.unlock();
            }
        } finally {
            turns.computeIfPresent(key, (name, mine) -> --mine.users == 0 ? null : mine);
        }
    }

    private void appendInTurn(URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        Protocol to = protocols.of(destination);
        TransferContext here = context.at(End.SOURCE);
        TransferContext there = context.at(End.DESTINATION).with(null, new Unmarked(context.progress()));
        // opened before anything is marked: while it cannot be, others may append
        try (Source opened = protocols.of(source).open(source, 0, "", here)) {
            long now = length(to, destination, there);
            long size = opened.size();
            Mark known = Mark.of(context.marker());
            boolean isFirst = known == null || now < known.before() || isOfOthers(to, known, now);
            long before = known == null || isFirst ? now : known.before();
            if (isFirst) {
                mark(context.progress(), new Mark(before, size).text());
            }
            if (size != Source.UNKNOWN) {
                requireNobodyElse(now, before + size, isFirst);
            }
            Watched read = new Watched(CountedInput.of(opened, here.progress()));
            try {
                put(to, read.source(), before, destination, there);
            } catch (TransferException | IOException e) {
                forgetUntouched(to, read, before, destination, there, context.progress(), e);
                throw e;
            }
            if (size != Source.UNKNOWN) {
                requireNobodyElse(length(to, destination, there), before + size, false);
            }
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + source);
        }
    }

    private static long length(Protocol to, URI destination, TransferContext there)
            throws TransferException, InterruptedException {
        return Math.max(0, to.existing(destination, there));
    }

    /** A file that is created has all of the copy or nothing of it. If it has a part, another program wrote it, and the file that was there before has been replaced. */
    private static boolean isOfOthers(Protocol to, Mark known, long now) {
        return !to.appends() && now > known.before() && now < known.before() + known.size();
    }

    /**
     * Takes the mark back where it is certain that nothing of the copy is or comes there: others may append before the next attempt, and that must
     * not write over what they did.
     */
    private static void forgetUntouched(
            Protocol to,
            Watched read,
            long before,
            URI destination,
            TransferContext there,
            Progress progress,
            Exception failure)
            throws InterruptedException {
        if (to.appends() || read.isWhole()) {
            return; // a part of it may be there, or all of it
        }
        try {
            if (length(to, destination, there) == before) {
                mark(progress, NEW);
            }
        } catch (TransferException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * What was found before an attempt.
     *
     * @param before where the file ended
     * @param size of what was to come behind it; {@link Source#UNKNOWN} where nobody said
     */
    private record Mark(long before, long size) {

        private static final Pattern TEXT = Pattern.compile(BEHIND + "([0-9]{1,18})(?: ([0-9]{1,18}))?");

        /** Null where nothing of the copy was begun. */
        static @Nullable Mark of(@Nullable String marker) {
            Matcher text = TEXT.matcher(marker == null ? "" : marker);
            return text.matches()
                    ? new Mark(
                            Long.parseLong(text.group(1)),
                            text.group(2) == null ? Source.UNKNOWN : Long.parseLong(text.group(2)))
                    : null;
        }

        String text() {
            return BEHIND + before + (size == Source.UNKNOWN ? "" : " " + size);
        }
    }

    /** Bytes that are not ours must not be written over. */
    private static void requireNobodyElse(long now, long end, boolean isFirst) throws TransferException {
        if (!isFirst && now > end) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the file that is appended to has " + now + " bytes, and " + end
                            + " are wanted: somebody else has made it longer meanwhile",
                    "Look at the file; let one after the other append to it.");
        }
    }

    private static void put(Protocol to, Source source, long before, URI destination, TransferContext there)
            throws TransferException, InterruptedException, IOException {
        if (before == 0) {
            to.store(source, destination, there);
        } else if (to.appends()) {
            long end = source.size() == Source.UNKNOWN ? Source.UNKNOWN : before + source.size();
            if (!to.append(new Source(before, end, "", source.bytes()), destination, there)) {
                throw changed();
            }
        } else {
            try (Source old = to.open(destination, 0, "", there)) {
                InputStream both = new SequenceInputStream(new First(old.bytes(), before), source.bytes());
                long end = source.size() == Source.UNKNOWN ? Source.UNKNOWN : before + source.size();
                to.store(new Source(0, end, "", both), destination, there);
            }
        }
    }

    private static TransferException changed() {
        return new TransferException(
                Kind.TRANSIENT,
                "the file that is appended to has become shorter meanwhile",
                "Let nobody else write it until the job is over.");
    }

    /** A source of which it is known afterwards whether all of it was read: a file that is made anew of less is none. */
    private static final class Watched extends BlockInputStream {

        private final Source source;
        private final AtomicLong count = new AtomicLong();
        private volatile boolean isWhole;

        Watched(Source source) {
            this.source = source;
        }

        Source source() {
            return new Source(source.start(), source.size(), source.version(), this);
        }

        boolean isWhole() {
            return isWhole || count.get() == source.size();
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = source.bytes().read(into, from, length);
            if (read < 0) {
                isWhole = true;
            }
            count.addAndGet(Math.max(0, read));
            return read;
        }
    }

    /** So many of the first bytes of a file, which must have them. */
    private static final class First extends BlockInputStream {

        private final InputStream bytes;
        private long left;

        First(InputStream bytes, long count) {
            this.bytes = bytes;
            this.left = count;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0) {
                return -1;
            }
            int count = bytes.read(into, from, (int) Math.min(length, left));
            if (count < 0) {
                throw new IOException(changed());
            }
            left -= count;
            return count;
        }
    }

    /** Where a file ended before is the one mark that counts; those of protocols mean other things. */
    private record Unmarked(Progress progress) implements Progress {
        @Override
        public void note(String text) {
            progress.note(text);
        }

        @Override
        public void moved(long bytes) {
            progress.moved(bytes);
        }

        @Override
        public void came(long bytes) {
            progress.came(bytes);
        }

        @Override
        public boolean isMarkDue() {
            return false;
        }

        @Override
        public void mark(String marker) {
            throw new IllegalStateException("nobody asked for a mark");
        }
    }
}
