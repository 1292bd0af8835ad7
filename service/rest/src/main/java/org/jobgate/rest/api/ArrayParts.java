// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.job.IndexRange;
import org.jobgate.job.JobGroup;
import org.jspecify.annotations.Nullable;

/** Which elements of an array a request means: indices and ranges of them between commas, such as {@code 3,7,10-20}. */
final class ArrayParts {

    /** Each is a change of its own on disk. */
    private static final int MOST = 100;

    private static final int LONGEST = 4_096;
    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private ArrayParts() {}

    /**
     * The ranges in their order, of which no two meet.
     *
     * @param text absent: everything, which is one range
     */
    static List<IndexRange> read(@Nullable String text) throws Problem {
        if (text == null) {
            return List.of(new IndexRange(0, Integer.MAX_VALUE));
        }
        if (text.length() > LONGEST) {
            throw wrong("it has more than " + LONGEST + " characters");
        }
        List<IndexRange> ranges = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches()) {
                throw wrong(Problem.told(part) + " is neither an index nor a range");
            }
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (last < first) {
                throw wrong("there are no indices from " + first + " to " + last);
            }
            ranges.add(new IndexRange(first, last));
        }
        List<IndexRange> joined = joined(ranges);
        if (joined.size() > MOST) {
            throw wrong("it has " + joined.size() + " separate parts, and may have " + MOST);
        }
        return joined;
    }

    private static Problem wrong(String why) {
        return Fields.wrong(
                "elements", why, "Give indices and ranges such as 3,7,10-20, at most " + MOST + " of them.");
    }

    private static List<IndexRange> joined(List<IndexRange> ranges) {
        List<IndexRange> joined = new ArrayList<>();
        for (IndexRange range : ranges.stream()
                .sorted(Comparator.comparingInt(IndexRange::first))
                .toList()) {
            IndexRange last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && range.first() <= last.last() + 1L) {
                joined.set(joined.size() - 1, new IndexRange(last.first(), Math.max(last.last(), range.last())));
            } else {
                joined.add(range);
            }
        }
        return joined;
    }

    /**
     * Refuses a range in which the array has no element.
     *
     * @throws Problem that names it
     */
    static void check(JobGroup array, List<IndexRange> ranges) throws Problem {
        for (IndexRange range : ranges) {
            if (array.indexes().places(range).isEmpty()) {
                String what = range.first() == range.last() ? "" + range.first() : range.first() + "-" + range.last();
                throw Fields.wrong(
                        "elements",
                        "the array has no element " + what,
                        "Its indices are " + ArrayForm.text(array.indexes()) + ".");
            }
        }
    }
}
