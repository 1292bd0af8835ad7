// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jobgate.files.FileNames;
import org.jspecify.annotations.Nullable;

/**
 * How far the slices of each file came. Kept as the marker of their transfer: the count of slices so far, then for each file its name, which file it
 * was, where the next slice begins, and of a slice that is on its way its end, its time and its number.
 */
final class SliceMarks {

    private static final String WORD = "sliced";

    /**
     * How far one file came.
     *
     * @param file which it was, as its protocol tells it
     * @param offset where the slice begins that is on its way, or the next one
     * @param end of the slice that is on its way; the offset where none is
     * @param time when that was begun, as it stands in its name; empty where none is
     */
    record Mark(String file, long offset, long end, String time, long number) {

        /** A slice is to be sent that ends there. */
        Mark sending(long newEnd, String newTime) {
            return new Mark(file, offset, newEnd, newTime, number);
        }

        /** It was sent. */
        Mark sent() {
            return new Mark(file, end, end, "", 0);
        }

        private String text(String name) {
            return String.join(
                    ",",
                    FileNames.encoded(name),
                    FileNames.encoded(file),
                    Long.toString(offset),
                    Long.toString(end),
                    time,
                    Long.toString(number));
        }
    }

    private final Map<String, Mark> marks = new LinkedHashMap<>();

    /** The number of the last slice of any file. */
    private long count;

    private SliceMarks() {}

    /** What a marker says; nothing was sent where there is none. */
    static SliceMarks of(@Nullable String marker) {
        SliceMarks all = new SliceMarks();
        if (marker == null || !marker.startsWith(WORD + " ")) {
            return all;
        }
        String[] words = marker.split(" ", -1);
        all.count = Long.parseLong(words[1]);
        for (int i = 2; i < words.length; i++) {
            String[] parts = words[i].split(",", -1);
            all.marks.put(
                    FileNames.decoded(parts[0]),
                    new Mark(
                            FileNames.decoded(parts[1]),
                            Long.parseLong(parts[2]),
                            Long.parseLong(parts[3]),
                            parts[4],
                            Long.parseLong(parts[5])));
        }
        return all;
    }

    /** Where a file goes on: at its beginning where it is another one than before, or became shorter. */
    Mark of(String name, WrittenFiles.Known found) {
        Mark known = marks.get(name);
        boolean isSame = known != null && known.file().equals(found.version()) && known.end() <= found.size();
        if (known != null && isSame) {
            return known.end() > known.offset()
                    ? known
                    : new Mark(known.file(), known.offset(), known.end(), "", count + 1);
        }
        return new Mark(found.version(), 0, 0, "", count + 1);
    }

    /** Forgets files that are not on the list any more, the oldest first, as far as there are more than so many. */
    void keep(Collection<String> listed, int most) {
        Iterator<String> names = marks.keySet().iterator();
        while (marks.size() > most && names.hasNext()) {
            if (!listed.contains(names.next())) {
                names.remove();
            }
        }
    }

    /** Keeps it; answers the marker that says so. */
    String with(String name, Mark mark) {
        marks.put(name, mark);
        count = Math.max(count, mark.number());
        return WORD + " " + count
                + marks.entrySet().stream()
                        .map(one -> " " + one.getValue().text(one.getKey()))
                        .collect(Collectors.joining());
    }
}
