// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far one stripe of a transfer is (reply 112; GFD.020, "Performance Markers").
 *
 * @param time by the server's clock
 * @param stripe its number, from 0
 * @param stripes how many there are
 * @param bytes that this stripe has moved
 */
public record PerformanceMarker(Instant time, int stripe, int stripes, long bytes) {

    private static final Pattern NUMBER =
            Pattern.compile("(Timestamp|Stripe Index|Total Stripe Count|Stripe Bytes Transferred): *([0-9]{1,18})"
                    + "(?:\\.([0-9]{1,9}))?");

    /** From a reply 112; what it does not say is 0. */
    static PerformanceMarker of(Reply reply) {
        Instant time = Instant.EPOCH;
        long stripe = 0;
        long stripes = 1;
        long bytes = 0;
        for (String line : reply.lines()) {
            Matcher matcher = NUMBER.matcher(line);
            if (matcher.find()) {
                long value = Long.parseLong(matcher.group(2));
                switch (matcher.group(1)) {
                    case "Timestamp" -> time = Instant.ofEpochSecond(Math.min(value, Integer.MAX_VALUE));
                    case "Stripe Index" -> stripe = value;
                    case "Total Stripe Count" -> stripes = value;
                    default -> bytes = value;
                }
            }
        }
        return new PerformanceMarker(time, (int) Math.min(stripe, 65535), (int) Math.min(stripes, 65535), bytes);
    }
}
