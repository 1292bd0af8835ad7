// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Parts of a file that have arrived: the restart marker of extended block mode (GFD.020, "Restart Markers"). Immutable.
 *
 * @param ranges rising, not touching each other
 */
public record ByteRanges(List<Range> ranges) {

    /** Nothing. */
    public static final ByteRanges NONE = new ByteRanges(List.of());

    /** Ranges that one marker may have. */
    public static final int MAX_RANGES = 10_000;

    /**
     * A part.
     *
     * @param from offset of its first byte
     * @param to offset behind its last byte
     */
    public record Range(long from, long to) {

        /** Checks that it is not empty. */
        public Range {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("not a range: " + from + "-" + to);
            }
        }
    }

    /** Brings them in order and joins those that touch. */
    public ByteRanges {
        ranges = joined(requireNonNull(ranges, "ranges is null"));
    }

    /** From the start to there; nothing for 0. */
    public static ByteRanges upTo(long end) {
        return end == 0 ? NONE : new ByteRanges(List.of(new Range(0, end)));
    }

    /**
     * Reads {@code 0-1048576,2097152-3145728}; empty parts such as {@code 0-0} count for nothing.
     *
     * @throws IllegalArgumentException if it is something else or has more than {@link #MAX_RANGES} parts
     */
    public static ByteRanges parse(String text) {
        List<Range> found = new ArrayList<>();
        for (String part : text.strip().split(",", MAX_RANGES + 1)) {
            if (!part.strip().matches("[0-9]{1,18}-[0-9]{1,18}")) {
                throw new IllegalArgumentException("not ranges of bytes: '" + CommandText.shown(text) + "'");
            }
            String[] ends = part.strip().split("-", 2);
            long from = Long.parseLong(ends[0]);
            long to = Long.parseLong(ends[1]);
            if (from != to) {
                found.add(new Range(from, to));
            }
        }
        return new ByteRanges(found);
    }

    /** Both together. */
    public ByteRanges plus(ByteRanges other) {
        List<Range> all = new ArrayList<>(ranges);
        all.addAll(other.ranges);
        return new ByteRanges(all);
    }

    /** How many bytes they are. */
    public long total() {
        return ranges.stream().mapToLong(range -> range.to - range.from).sum();
    }

    /** How many bytes have arrived from the start without a gap. */
    public long prefix() {
        return ranges.isEmpty() || ranges.get(0).from > 0 ? 0 : ranges.get(0).to;
    }

    /** The first byte at or behind the position that is missing. */
    public long firstMissing(long position) {
        for (Range range : ranges) {
            if (position < range.from) {
                return position;
            }
            position = Math.max(position, range.to);
        }
        return position;
    }

    /** How many bytes are missing from the position on, until one that is there; {@code Long.MAX_VALUE} if none follows. */
    public long gapAt(long position) {
        for (Range range : ranges) {
            if (range.to > position) {
                return Math.max(0, range.from - position);
            }
        }
        return Long.MAX_VALUE;
    }

    /** As the argument of {@code REST} in extended block mode. */
    @Override
    public String toString() {
        return ranges.isEmpty()
                ? "0-0"
                : ranges.stream().map(range -> range.from + "-" + range.to).collect(Collectors.joining(","));
    }

    private static List<Range> joined(List<Range> ranges) {
        NavigableMap<Long, Long> ends = new TreeMap<>();
        for (Range range : ranges) {
            ends.merge(range.from, range.to, Math::max);
        }
        List<Range> result = new ArrayList<>();
        for (Map.Entry<Long, Long> next : ends.entrySet()) {
            Range last = result.isEmpty() ? null : result.get(result.size() - 1);
            if (last != null && next.getKey() <= last.to) {
                result.set(result.size() - 1, new Range(last.from, Math.max(last.to, next.getValue())));
            } else {
                result.add(new Range(next.getKey(), next.getValue()));
            }
        }
        return List.copyOf(result);
    }
}
