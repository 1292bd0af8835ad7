// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes of UTF-8 written as {@code \xHH}, as OpenSSL and the Globus tools write what is not ASCII in a name. */
final class HexBytes {

    private static final int LENGTH = 4;

    private HexBytes() {}

    /** Whether one begins there. */
    static boolean isOne(String text, int at) {
        return at + LENGTH <= text.length()
                && text.charAt(at) == '\\'
                && (text.charAt(at + 1) == 'x' || text.charAt(at + 1) == 'X')
                && HexFormat.isHexDigit(text.charAt(at + 2))
                && HexFormat.isHexDigit(text.charAt(at + 3));
    }

    /**
     * Appends what it and those right behind it mean.
     *
     * @return where the text goes on
     * @throws IllegalArgumentException if they are not UTF-8: who is named by them would never be met
     */
    static int append(String text, int from, StringBuilder word) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int at = from;
        for (; isOne(text, at); at += LENGTH) {
            bytes.write(HexFormat.fromHexDigits(text, at + 2, at + LENGTH));
        }
        try {
            word.append(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(text.substring(from, at) + " are no bytes of UTF-8", e);
        }
        return at;
    }
}
