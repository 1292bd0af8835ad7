// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server tells of a transfer while it goes on. A server says the same again and again also where nothing moves any more: only its
 * first word, and more bytes than before, are a sign of life. For one transfer and one thread.
 */
final class Progress {
    private static final int RESTART = 111;
    private static final int PERFORMANCE = 112;

    /** GFD.020, appendix II; of a stripe, but in stream mode there is one. */
    private static final Pattern BYTES =
            Pattern.compile("^[ \\t]*Stripe Bytes Transferred:[ \\t]*([0-9]{1,18})", Pattern.MULTILINE);

    /** The end of each part that is there: {@code Range Marker 0-29,35-89}. */
    private static final Pattern END = Pattern.compile("[0-9]-([0-9]{1,18})");

    private boolean isBegun;
    private long most;

    /** Whether a preliminary reply tells that the transfer has gone on since the last one. */
    boolean isIn(Reply reply) {
        return switch (reply.code()) {
            case 125, 150 -> isFirst();
            case RESTART -> isMore(END.matcher(reply.text()));
            case PERFORMANCE -> isMore(BYTES.matcher(reply.text()));
            default -> false;
        };
    }

    private boolean isFirst() {
        boolean isFirst = !isBegun;
        isBegun = true;
        return isFirst;
    }

    private boolean isMore(Matcher numbers) {
        long before = most;
        while (numbers.find()) {
            most = Math.max(most, Long.parseLong(numbers.group(1)));
        }
        return most > before;
    }
}
