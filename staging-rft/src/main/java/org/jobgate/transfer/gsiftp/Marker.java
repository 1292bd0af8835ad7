// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import org.jobgate.gridftp.ByteRanges;
import org.jspecify.annotations.Nullable;

/**
 * Where a third-party transfer goes on: {@code VERSION RANGES}.
 *
 * @param version of the source when the ranges arrived
 * @param arrived at the destination
 */
record Marker(String version, ByteRanges arrived) {

    private static final int MAX_LENGTH = 64 * 1024;

    static Marker of(@Nullable String text) {
        int space = text == null ? -1 : text.indexOf(' ');
        return text == null || space < 0
                ? new Marker("", ByteRanges.NONE)
                : new Marker(text.substring(0, space), ByteRanges.parse(text.substring(space + 1)));
    }

    /** If there are too many gaps, only the part before the first one is written. */
    String text() {
        String whole = version + " " + arrived;
        return whole.length() <= MAX_LENGTH ? whole : version + " " + ByteRanges.upTo(arrived.prefix());
    }
}
