// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.rendezvous;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * By what a repeated registration is recognised: fingerprints, so that neither the bytes nor an id of any length need be kept in memory.
 *
 * @param data fingerprint of the bytes
 * @param message fingerprint of the message's id; {@link #NO_MESSAGE} where there was none
 */
record Mark(String data, String message) {

    static final String NO_MESSAGE = "-";

    Mark {
        requireNonNull(data, "data is null");
        requireNonNull(message, "message is null");
    }

    static Mark of(byte[] data, @Nullable String message) {
        return new Mark(
                fingerprint(data),
                message == null ? NO_MESSAGE : fingerprint(message.getBytes(StandardCharsets.UTF_8)));
    }

    boolean hasDataOf(Mark other) {
        return data.equals(other.data);
    }

    /** Whether both came with one message; those without an id never did. */
    boolean isSameMessage(Mark other) {
        return !message.equals(NO_MESSAGE) && equals(other);
    }

    private static String fingerprint(byte[] bytes) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
