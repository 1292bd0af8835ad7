// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Names of files as texts, without loss. To Linux a name is bytes; as a rule they are UTF-8. A byte that is not stands in a text as one
 * character of U+DC80 to U+DCFF, which no UTF-8 has: {@link #bytes} gives it back. Where such a text leaves the service it is
 * percent-encoded ({@link #encoded}), or only shown ({@link #shown}); no locale has a say.
 */
public final class FileNames {

    private static final char FIRST = '\uDC80';
    private static final char LAST = '\uDCFF';
    private static final int BYTE = FIRST - 0x80;
    private static final char REPLACED = '\uFFFD';
    private static final String UNRESERVED = "-._~";

    private FileNames() {}

    /** The text of a name. */
    public static String text(byte[] name) {
        String text = new String(name, StandardCharsets.UTF_8);
        return text.indexOf(REPLACED) < 0 ? text : careful(name);
    }

    private static String careful(byte[] name) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(name);
        CharBuffer out = CharBuffer.allocate(name.length);
        CoderResult result = decoder.decode(in, out, true);
        while (result.isError()) {
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (BYTE + (in.get() & 0xff)));
            }
            result = decoder.decode(in, out, true);
        }
        return out.flip().toString();
    }

    /** The bytes of a name, as {@link #text} has made a text of them. */
    public static byte[] bytes(String name) {
        if (isText(name)) {
            return name.getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(name.length() + 16);
        int at = 0;
        while (at < name.length()) {
            int c = name.codePointAt(at);
            if (isByte(c)) {
                bytes.write(c - BYTE);
            } else {
                bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
            at += Character.charCount(c);
        }
        return bytes.toByteArray();
    }

    private static boolean isByte(int c) {
        return c >= FIRST && c <= LAST;
    }

    /** Whether a name is UTF-8. */
    public static boolean isText(String name) {
        return name.codePoints().noneMatch(FileNames::isByte);
    }

    /** A name, or a path of several, as it stands in an address: all but slashes, ASCII letters, digits and {@code -._~} as %XX. */
    public static String encoded(String name) {
        return encoded(name, "/");
    }

    /** As {@link #encoded(String)}, with other characters kept than the slash. */
    public static String encoded(String name, String kept) {
        StringBuilder out = new StringBuilder(name.length() + 16);
        for (byte one : bytes(name)) {
            char c = (char) (one & 0xff);
            boolean isPlain = c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
            if (isPlain || (c < 0x80 && kept.indexOf(c) >= 0)) {
                out.append(c);
            } else {
                append(out, c);
            }
        }
        return out.toString();
    }

    private static void append(StringBuilder out, int b) {
        out.append('%')
                .append(Character.toUpperCase(Character.forDigit(b >> 4, 16)))
                .append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
    }

    /**
     * The name or path that an address means, with each %XX the byte that it is.
     *
     * @throws IllegalArgumentException if a % is not followed by two hexadecimal digits
     */
    public static String decoded(String encoded) {
        if (encoded.indexOf('%') < 0) {
            return encoded;
        }
        byte[] in = bytes(encoded);
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.length);
        for (int i = 0; i < in.length; i++) {
            if (in[i] != '%') {
                out.write(in[i]);
                continue;
            }
            int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
            int low = i + 2 < in.length ? Character.digit(in[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw new IllegalArgumentException("a % without two hexadecimal digits behind it");
            }
            out.write(high << 4 | low);
            i += 2;
        }
        return text(out.toByteArray());
    }

    /** For people: what is not UTF-8 as %XX, control characters as question marks. */
    public static String shown(String name) {
        StringBuilder out = new StringBuilder(name.length());
        name.codePoints().forEach(c -> {
            if (isByte(c)) {
                append(out, c - BYTE);
            } else {
                out.appendCodePoint(Character.isISOControl(c) ? '?' : c);
            }
        });
        return out.toString();
    }
}
