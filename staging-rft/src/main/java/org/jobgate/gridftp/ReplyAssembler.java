// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lines to replies, by RFC 959 section 4.2: {@code 211-...} until {@code 211 ...}; lines between may begin with anything. */
final class ReplyAssembler {

    private static final Pattern FIRST_LINE = Pattern.compile("[1-6][0-9]{2}([ -].*)?", Pattern.DOTALL);

    private final int maxBytes;
    private final List<String> lines = new ArrayList<>();
    private int code;
    private int bytes;

    ReplyAssembler(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Takes a line.
     *
     * @return the reply that it ends; null if there is more to come
     * @throws MalformedReplyException if it is no line of a reply, or the reply is over the limit
     */
    @Nullable
    Reply take(String line) throws MalformedReplyException {
        bytes += line.length() + 2;
        if (bytes > maxBytes) {
            throw new MalformedReplyException("a reply is longer than " + maxBytes + " bytes (maxReplyBytes)");
        }
        return lines.isEmpty() ? first(line) : next(line);
    }

    /** Whether a reply has begun that is not whole. */
    boolean isBegun() {
        return !lines.isEmpty();
    }

    private @Nullable Reply first(String line) throws MalformedReplyException {
        if (!FIRST_LINE.matcher(line).matches()) {
            throw new MalformedReplyException("'" + CommandText.shown(line) + "' is not a reply");
        }
        code = Integer.parseInt(line.substring(0, 3));
        lines.add(line.length() > 4 ? line.substring(4) : "");
        return line.length() > 3 && line.charAt(3) == '-' ? null : done();
    }

    private @Nullable Reply next(String line) {
        String number = Integer.toString(code);
        if (line.equals(number) || line.startsWith(number + " ")) {
            lines.add(line.length() > 4 ? line.substring(4) : "");
            return done();
        }
        lines.add(line.startsWith(number + "-") ? line.substring(4) : line);
        return null;
    }

    private Reply done() {
        Reply reply = new Reply(code, lines);
        lines.clear();
        bytes = 0;
        return reply;
    }
}
