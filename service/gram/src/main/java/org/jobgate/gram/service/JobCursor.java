// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;
import org.jobgate.job.JobId;

/** Where the next page of a list begins, as a text that clients only hand back. It tells nothing that its owner may not know. */
final class JobCursor {

    /** 16 bytes in base 64 without padding. */
    private static final int CHARACTERS = 22;

    private JobCursor() {}

    static String write(JobId last) {
        ByteBuffer bytes = ByteBuffer.allocate(16)
                .putLong(last.value().getMostSignificantBits())
                .putLong(last.value().getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** @throws IllegalArgumentException if it is none of ours */
    static JobId read(String text) {
        if (text.length() != CHARACTERS) {
            throw new IllegalArgumentException("a cursor has " + CHARACTERS + " characters, this one " + text.length());
        }
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        return new JobId(new UUID(bytes.getLong(), bytes.getLong()));
    }
}
