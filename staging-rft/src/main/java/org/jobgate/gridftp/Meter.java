// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts what a transfer moves, renews its patience and tells the listener, not too often and one call at a time. */
final class Meter {

    private static final long MIN_NANOS_BETWEEN = 200_000_000L;

    private final TransferListener listener;
    private final Patience patience;
    private final TreeMap<Long, Long> ends = new TreeMap<>();
    private long bytes;
    private long told = System.nanoTime();

    Meter(TransferListener listener, Patience patience, ByteRanges before) {
        this.listener = listener;
        this.patience = patience;
        for (ByteRanges.Range range : before.ranges()) {
            ends.put(range.from(), range.to());
        }
    }

    Patience patience() {
        return patience;
    }

    /** Bytes that this side has sent: they have left, not arrived. */
    synchronized void sent(long count) {
        bytes += count;
        patience.renew();
        tellSometimes();
    }

    /** Bytes that are in the sink. */
    synchronized void received(long position, long count) {
        bytes += count;
        join(position, position + count);
        patience.renew();
        tellSometimes();
    }

    private void join(long from, long to) {
        long begin = from;
        long end = to;
        Map.Entry<Long, Long> before = ends.floorEntry(from);
        if (before != null && before.getValue() >= from) {
            begin = before.getKey();
            end = Math.max(end, before.getValue());
        }
        Map.Entry<Long, Long> behind = ends.ceilingEntry(from);
        while (behind != null && behind.getKey() <= end) {
            end = Math.max(end, behind.getValue());
            ends.remove(behind.getKey());
            behind = ends.ceilingEntry(from);
        }
        ends.put(begin, end);
    }

    /** A server says what has arrived there. */
    synchronized void arrived(ByteRanges ranges) {
        ranges.ranges().forEach(range -> join(range.from(), range.to()));
        listener.arrived(ranges());
    }

    /** A server says how far it is, all stripes together. */
    synchronized void reported(long total) {
        if (total > bytes) {
            bytes = total;
            listener.moved(bytes);
        }
    }

    synchronized void marker(PerformanceMarker marker) {
        listener.marker(marker);
    }

    private void tellSometimes() {
        long now = System.nanoTime();
        if (now - told > MIN_NANOS_BETWEEN) {
            told = now;
            tell();
        }
    }

    /** How it stands now; at the end, good or bad. */
    synchronized void tell() {
        listener.moved(bytes);
        if (!ends.isEmpty()) {
            listener.arrived(ranges());
        }
    }

    synchronized long bytes() {
        return bytes;
    }

    private ByteRanges ranges() {
        List<ByteRanges.Range> all = new ArrayList<>();
        ends.forEach((from, to) -> all.add(new ByteRanges.Range(from, to)));
        return new ByteRanges(all);
    }
}
