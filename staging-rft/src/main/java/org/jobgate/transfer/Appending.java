// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
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
 * Sends a file while it is written: slice by slice, each behind the one before, under the destination's own name. A mark says how much
 * has arrived, of which file, and how the last bytes of that were; a file that is not like that any more was not only appended to, and is
 * sent as a whole at the end.
 */
final class Appending {

    /** What came of a turn. */
    enum Turn {
        /** Nothing was to be sent, and no server was asked. */
        NOTHING,
        /** There is no such file, or not yet. */
        MISSING,
        /** All that there was. */
        ALL,
        /** As much as may be sent in one turn. */
        PART
    }

    /** How many of the last bytes must be as they were. */
    private static final int TAIL = 4096;

    private static final String WORD = "appended";

    /**
     * How far it came.
     *
     * @param offset how many bytes are at the destination
     * @param file which file they are of; empty as long as there are none
     * @param tail what the last of them sum up to
     */
    record Mark(long offset, String file, String tail) {

        private static final Mark NONE = new Mark(0, "", "");

        /** Stands for a file that was not only appended to. */
        private static final Mark SPOILT = new Mark(-1, "", "");

        /** Whether a marker is one of these. */
        static boolean is(@Nullable String marker) {
            return marker != null && marker.startsWith(WORD + " ");
        }

        static Mark of(@Nullable String marker) {
            if (marker == null || !is(marker)) {
                return NONE;
            }
            String[] words = marker.split(" ", -1);
            return new Mark(Long.parseLong(words[1]), words[2], words[3]);
        }

        String text() {
            return WORD + " " + offset + " " + file + " " + tail;
        }
    }

    /** The context, with what the owner has delegated: only asked for where a server is. */
    interface Credentialed {
        TransferContext context() throws TransferException;
    }

    private final Protocols protocols;
    private final long most;

    /** @param most bytes that are sent in one turn */
    Appending(Protocols protocols, long most) {
        this.protocols = protocols;
        this.most = most;
    }

    /**
     * Sends a slice of the bytes that exist.
     *
     * @param here what the source is read with; its marker says where to go on
     * @throws TransferException permanent where the file was not only appended to; it is marked so
     */
    Turn turn(URI source, URI destination, TransferContext here, Credentialed there)
            throws TransferException, InterruptedException {
        Mark mark = Mark.of(here.marker());
        Step step = step(mark, source, destination, here.at(End.SOURCE), there);
        if (step.mark().equals(Mark.SPOILT)) {
            here.progress().mark(Mark.SPOILT.text());
            throw new TransferException(
                    Kind.PERMANENT,
                    "the file was written anew or made shorter, not only appended to",
                    "It is sent as a whole when the job has ended.");
        }
        if (!step.mark().equals(mark)) {
            here.progress().mark(step.mark().text());
        }
        return step.turn();
    }

    /**
     * Sends the rest of a file that is complete.
     *
     * @return whether the destination is complete; else the file is to be copied as a whole
     */
    boolean finish(URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        Mark mark = Mark.of(context.marker());
        Turn turn = mark.offset() > 0 ? Turn.PART : Turn.MISSING;
        while (turn == Turn.PART) {
            Step step = step(mark, source, destination, context.at(End.SOURCE), () -> context);
            turn = step.turn();
            if (!step.mark().equals(mark)) {
                mark = step.mark();
                context.progress().mark(mark.text());
            }
        }
        return turn != Turn.MISSING
                && mark.offset() > 0
                && protocols.of(destination).size(destination, context.at(End.DESTINATION)) == mark.offset();
    }

    private record Step(Mark mark, Turn turn) {}

    private Step step(Mark mark, URI source, URI destination, TransferContext here, Credentialed there)
            throws TransferException, InterruptedException {
        if (mark.equals(Mark.SPOILT)) {
            return new Step(mark, Turn.NOTHING);
        }
        long from = Math.max(0, mark.offset() - TAIL);
        Optional<Source> found = protocols.of(source).follow(source, from, here);
        if (found.isEmpty()) {
            return new Step(mark, Turn.MISSING);
        }
        try (Source opened = found.get()) {
            byte[] before = opened.bytes().readNBytes((int) (mark.offset() - from));
            boolean isSame = opened.version().equals(mark.file()) && sum(before).equals(mark.tail());
            if (mark.offset() > 0 && !isSame) {
                return new Step(Mark.SPOILT, Turn.NOTHING);
            }
            if (opened.size() <= mark.offset()) {
                return new Step(mark, Turn.NOTHING);
            }
            return send(mark, new Slice(opened, before, mark.offset(), most), destination, there.context());
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + source);
        }
    }

    /** The first slice is a file of its own, which takes the place of what was there: only what is ours is appended to. */
    private Step send(Mark mark, Slice slice, URI destination, TransferContext whole)
            throws TransferException, InterruptedException {
        TransferContext context = whole.at(End.DESTINATION);
        Protocol to = protocols.of(destination);
        TransferContext unmarked = context.with(null, new Counting(context.progress()));
        Source bytes = new Source(mark.offset(), slice.end(), "", slice);
        if (mark.offset() == 0) {
            to.store(bytes, destination, unmarked);
            requireSize(to, destination, slice.end(), context);
        } else if (!to.append(bytes, destination, unmarked)) {
            return new Step(
                    Mark.NONE,
                    Turn.ALL); // somebody has removed it, or the server has lost it: from the beginning, next time
        }
        return new Step(new Mark(slice.end(), slice.file(), slice.tail()), slice.isLast() ? Turn.ALL : Turn.PART);
    }

    private static void requireSize(Protocol to, URI destination, long size, TransferContext context)
            throws TransferException, InterruptedException {
        long there = to.size(destination, context);
        if (there != size) {
            throw new TransferException(
                    Kind.PERMANENT,
                    "the server says that the file has " + there + " bytes of " + size
                            + " that were sent, so nothing can be appended to it",
                    "It is sent as a whole when the job has ended.");
        }
    }

    private static String sum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    /** Protocols have marks of their own, which mean other things. */
    record Counting(Progress progress) implements Progress {
        @Override
        public void moved(long bytes) {
            progress.moved(bytes);
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

    /** So many bytes of a source as may be sent in one turn; remembers the last of them. */
    private static final class Slice extends BlockInputStream {

        private final Source source;
        private final long end;
        private final byte[] last = new byte[TAIL];
        private int held;
        private long at;

        /** @param before the last bytes that were sent already */
        Slice(Source source, byte[] before, long offset, long most) {
            this.source = source;
            this.at = offset;
            this.end = Math.min(source.size(), offset + most);
            keep(before, 0, before.length);
        }

        long end() {
            return end;
        }

        String file() {
            return source.version();
        }

        boolean isLast() {
            return end == source.size();
        }

        /** To be asked when all was read. */
        String tail() {
            if (at != end) {
                throw new IllegalStateException("of " + end + " bytes " + at + " were read");
            }
            byte[] kept = new byte[held];
            System.arraycopy(last, 0, kept, 0, held);
            return sum(kept);
        }

        private void keep(byte[] bytes, int from, int count) {
            int added = Math.min(count, TAIL);
            int stay = Math.min(held, TAIL - added);
            System.arraycopy(last, held - stay, last, 0, stay);
            System.arraycopy(bytes, from + count - added, last, stay, added);
            held = stay + added;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            int count = at == end ? -1 : source.bytes().read(into, from, (int) Math.min(length, end - at));
            if (count > 0) {
                keep(into, from, count);
                at += count;
            }
            return count;
        }
    }
}
