// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * What goes over a control connection as text, without loss: UTF-8, and each byte that is not as one character of U+DC80 to U+DCFF. So a
 * server's file that has such a name in a listing can be asked for by it.
 */
final class RawText {

    private static final char FIRST = '\uDC80';
    private static final char LAST = '\uDCFF';
    private static final int BYTE = FIRST - 0x80;
    private static final char REPLACED = '\uFFFD';

    private RawText() {}

    static String of(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.indexOf(REPLACED) < 0 ? text : careful(bytes);
    }

    private static String careful(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        while (result.isError()) {
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (BYTE + (in.get() & 0xff)));
            }
            result = decoder.decode(in, out, true);
        }
        return out.flip().toString();
    }

    static byte[] bytes(String text) {
        if (text.codePoints().noneMatch(RawText::isByte)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (isByte(c)) {
                bytes.write(c - BYTE);
            } else {
                bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }

    private static boolean isByte(int c) {
        return c >= FIRST && c <= LAST;
    }

    /** For messages: such a byte as %XX. */
    static String shown(String text) {
        if (text.codePoints().noneMatch(RawText::isByte)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (isByte(c)) {
                out.append(String.format("%%%02X", c - BYTE));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }
}
