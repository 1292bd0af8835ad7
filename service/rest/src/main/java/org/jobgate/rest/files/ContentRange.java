// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.job.ShortText;
import org.jspecify.annotations.Nullable;

/**
 * The part of a file that the body of a PUT is (RFC 9110 section 14.5: a server may give it this meaning; curl sends it with {@code -C}).
 *
 * @param first of its bytes
 * @param last of its bytes, inclusive
 * @param total the size of the whole file; negative where it is not told: then more is to come
 */
record ContentRange(long first, long last, long total) {

    private static final Pattern SYNTAX = Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\\*)");

    /**
     * What the header says; nothing where there is none.
     *
     * @throws FileRefusal it says something else
     */
    static @Nullable ContentRange of(@Nullable String header) throws FileRefusal {
        if (header == null) {
            return null;
        }
        Matcher matcher = SYNTAX.matcher(header.strip());
        if (!matcher.matches()) {
            throw wrong(header);
        }
        long total = matcher.group(3).equals("*") ? -1 : Long.parseLong(matcher.group(3));
        ContentRange range =
                new ContentRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), total);
        if (range.last < range.first || (total >= 0 && range.last >= total)) {
            throw wrong(header);
        }
        return range;
    }

    private static FileRefusal wrong(String header) {
        String shown = ShortText.of(header, 80);
        return FileRefusal.badRequest(
                "Content-Range is '" + shown + "'; it must be 'bytes FIRST-LAST/SIZE' or 'bytes FIRST-LAST/*'.");
    }

    /** Whether the file is whole with it. */
    boolean isEnd() {
        return total >= 0 && last + 1 == total;
    }

    long length() {
        return last - first + 1;
    }
}
