// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** One sequence in DER (X.690, section 8.1) that comes in pieces, of at most {@value #MOST} bytes. What is in it is not looked at. */
final class DerMessage {

    /** A certificate with a key of 16384 bits has less. */
    static final int MOST = 16 * 1024;

    private static final int SEQUENCE = 0x30;

    /** Of the tag and a length of up to two bytes. */
    private static final int LONGEST_HEAD = 4;

    private byte[] bytes = new byte[0];

    /**
     * Takes what belongs to it, and leaves the rest.
     *
     * @return whether it is whole
     * @throws HttpgDelegations.RefusedException where it is no sequence, or too long
     */
    boolean take(ByteBuffer buffer) throws HttpgDelegations.RefusedException {
        while (buffer.hasRemaining()) {
            int missing = size() - bytes.length;
            if (missing == 0) {
                return true;
            }
            int more = Math.min(missing, buffer.remaining());
            bytes = Arrays.copyOf(bytes, bytes.length + more);
            buffer.get(bytes, bytes.length - more, more);
        }
        return size() == bytes.length;
    }

    /** All of it. */
    byte[] bytes() {
        return bytes.clone();
    }

    /** How long it is as far as that is known yet: one byte more than there is, while its head is not there. */
    private int size() throws HttpgDelegations.RefusedException {
        if (bytes.length < 2) {
            requireSequence();
            return bytes.length + 1;
        }
        requireSequence();
        int length = bytes[1] & 0xff;
        if (length < 0x80) {
            return 2 + length;
        }
        int ofLength = length & 0x7f;
        if (ofLength == 0 || 2 + ofLength > LONGEST_HEAD) {
            throw refused();
        }
        if (bytes.length < 2 + ofLength) {
            return bytes.length + 1;
        }
        int size = 2 + ofLength;
        int content = 0;
        for (int i = 2; i < 2 + ofLength; i++) {
            content = (content << 8) | (bytes[i] & 0xff);
        }
        if (size + content > MOST) {
            throw refused();
        }
        return size + content;
    }

    private void requireSequence() throws HttpgDelegations.RefusedException {
        if (bytes.length > 0 && bytes[0] != SEQUENCE) {
            throw refused();
        }
    }

    private static HttpgDelegations.RefusedException refused() {
        return new HttpgDelegations.RefusedException(
                "What was sent for the certificate request is no certificate in DER of at most " + MOST + " bytes.",
                null);
    }
}
