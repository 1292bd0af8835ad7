// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads percent-encoded text (RFC 3986) strictly: what is no UTF-8, or could be read in two ways, is refused. */
final class PathText {

    private static final int MOST_SEGMENTS = 80;

    /** Digits of other scripts are no digits here. */
    private static final Pattern ENCODED = Pattern.compile("(?:[^%]|%[0-9A-Fa-f]{2})*");

    private PathText() {}

    /**
     * The segments of a path that begins with a slash, as they came; none for the empty path.
     *
     * @throws Problem where it has a path parameter
     */
    static List<String> segments(String path) throws Problem {
        List<String> segments = new ArrayList<>();
        if (path.isEmpty() || path.equals("/")) {
            return segments;
        }
        for (String segment : path.substring(1).split("/", MOST_SEGMENTS)) {
            if (segment.indexOf(';') >= 0) {
                throw Problem.badRequest(
                        "The address has a path parameter: " + Problem.told(segment) + ".",
                        "Leave out what follows the semicolon, or encode it as %3B.");
            }
            segments.add(segment);
        }
        return segments;
    }

    /** @throws Problem where a percent sign has not two hexadecimal digits behind it, or the bytes are no UTF-8 */
    static String decoded(String text) throws Problem {
        if (text.indexOf('%') < 0) {
            return text;
        }
        if (!ENCODED.matcher(text).matches()) {
            throw Problem.badRequest(
                    "In the address " + Problem.told(text)
                            + " a percent sign has not two hexadecimal digits behind it.",
                    "Encode the percent sign as %25.");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '%') {
                bytes.write(Integer.parseInt(text, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.writeBytes(String.valueOf(text.charAt(i)).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problem.badRequest(
                    "The address " + Problem.told(text) + " is not UTF-8.", "Encode it as UTF-8, byte by byte.");
        }
    }
}
