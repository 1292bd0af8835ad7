// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What an HTTP server answered.
 *
 * @param reason the words after the status, as the server chose them
 * @param headers by name in small letters
 * @param isToSecondSending whether the request was sent before, and that answer was lost: what this one refuses may have been done
 */
@SuppressWarnings("ArrayRecordComponent") // made once, read once, never compared
public record HttpReply(
        int status, String reason, Map<String, String> headers, byte[] body, boolean isToSecondSending) {
    private static final int START_LENGTH_MAX = 300;

    /** The answer to a request that was sent once. */
    public HttpReply(int status, String reason, Map<String, String> headers, byte[] body) {
        this(status, reason, headers, body, false);
    }

    HttpReply afterLostAnswer() {
        return new HttpReply(status, reason, headers, body, true);
    }

    /** The header of that name in small letters; empty where there is none. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** The beginning of a body of plain text, for a message to a person; empty where there is none, or markup and the like. */
    public String bodyStart() {
        String text = new String(body, 0, Math.min(body.length, START_LENGTH_MAX), StandardCharsets.UTF_8);
        String shown = text.replaceAll("\\s+", " ").strip();
        boolean isForPersons = !shown.isEmpty()
                && "<{[".indexOf(shown.charAt(0)) < 0
                && !header("content-type").contains("html");
        return isForPersons && shown.chars().noneMatch(Character::isISOControl) ? ": " + shown : "";
    }
}
