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
import java.util.concurrent.locks.ReentrantLock;
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
        long now = Math.max(0, to.existing(destination, there));
        long before = before(context.marker());
        boolean isFirst = before < 0 || now < before; // what is shorter than it was is another file by now
        if (isFirst) {
            before = now;
            mark(context.progress(), BEHIND + before);
        }
        try (Source opened = protocols.of(source).open(source, 0, "", here)) {
            long size = opened.size();
            if (size != Source.UNKNOWN) {
                requireNobodyElse(now, before + size, isFirst);
            }
            Source counted = CountedInput.of(opened, here.progress());
            put(to, counted, before, destination, there);
            if (size != Source.UNKNOWN) {
                requireNobodyElse(to.existing(destination, there), before + size, false);
            }
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + source);
        }
    }

    private static long before(@Nullable String marker) {
        return marker != null && marker.startsWith(BEHIND) ? Long.parseLong(marker.substring(BEHIND.length())) : -1;
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
