// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a file that a request asks for (RFC 9110 section 14).
 *
 * @param first of the bytes; for the last bytes of the file, how many, negative
 * @param last of the bytes, inclusive
 * @param isWhole whether the request asks for no part: {@code bytes=0-} does
 */
public record ByteRange(long first, long last, boolean isWhole) {

    /** The whole file. */
    public static final ByteRange WHOLE = new ByteRange(0, Long.MAX_VALUE, true);

    private static final Pattern SYNTAX = Pattern.compile("bytes=(?:([0-9]{1,18})-([0-9]{1,18})?|-([0-9]{1,18}))");

    /** The range that the header asks for; the whole file if there is no header, or it asks for several parts, or is not understood: RFC 9110 lets a server ignore it. */
    public static ByteRange of(@Nullable String header) {
        Matcher matcher = SYNTAX.matcher(header == null ? "" : header.replace(" ", ""));
        if (!matcher.matches()) {
            return WHOLE;
        }
        if (matcher.group(3) != null) {
            return new ByteRange(-Long.parseLong(matcher.group(3)), Long.MAX_VALUE, false);
        }
        long first = Long.parseLong(matcher.group(1));
        long last = matcher.group(2) == null ? Long.MAX_VALUE : Long.parseLong(matcher.group(2));
        return last < first ? WHOLE : new ByteRange(first, last, false);
    }

    /** Where it begins in a file of this size. */
    public long begin(long size) {
        return first >= 0 ? first : Math.max(0, size + first);
    }

    /** Where it ends in a file of this size, exclusive; not before its beginning. */
    public long end(long size) {
        return last >= size ? Math.max(size, begin(size)) : last + 1;
    }
}
