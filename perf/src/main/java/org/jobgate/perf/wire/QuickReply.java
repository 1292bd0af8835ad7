// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An HTTP/1.1 answer as far as it has come, of which the status and the length of the content are read, and no more. One after another. */
final class QuickReply {

    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_HEAD = 16_384;
    private static final int CASE = 0x20;

    private byte[] head = new byte[1_024];
    private int headLength;
    private int lineBegin;
    private int status;
    private long length;
    private long left;
    private boolean isInContent;

    /** The next answer begins. */
    void begin() {
        headLength = 0;
        lineBegin = 0;
        status = 0;
        length = -1;
        left = 0;
        isInContent = false;
    }

    /** What has come of it. */
    void take(byte[] bytes, int count) throws IOException {
        int at = 0;
        while (at < count && !isInContent) {
            add(bytes[at++]);
        }
        left -= count - at;
        if (isInContent && left < 0) {
            throw new IOException("more has come than the answer's length");
        }
    }

    private void add(byte next) throws IOException {
        if (headLength == head.length) {
            if (headLength == LONGEST_HEAD) {
                throw new IOException("the head of the answer is longer than " + LONGEST_HEAD + " bytes");
            }
            head = Arrays.copyOf(head, 2 * headLength);
        }
        head[headLength++] = next;
        if (next == '\n') {
            endLine();
        }
    }

    private void endLine() throws IOException {
        int lineLength = headLength - lineBegin;
        if (lineBegin == 0) {
            status = status(lineLength);
        } else if (lineLength == 2) {
            endHead();
        } else if (lineLength > LENGTH.length && isLength()) {
            String said =
                    new String(head, lineBegin + LENGTH.length, lineLength - LENGTH.length, StandardCharsets.US_ASCII);
            length = HttpReply.number(said, 10);
        }
        lineBegin = headLength;
    }

    private int status(int lineLength) throws IOException {
        return HttpReply.status(new String(head, 0, lineLength, StandardCharsets.ISO_8859_1).stripTrailing());
    }

    private boolean isLength() {
        for (int i = 0; i < LENGTH.length; i++) {
            int letter = head[lineBegin + i];
            if (letter != LENGTH[i] && (letter | CASE) != LENGTH[i]) {
                return false;
            }
        }
        return true;
    }

    private void endHead() throws IOException {
        if (length < 0) {
            throw new IOException("the answer does not say its length");
        }
        left = length;
        isInContent = true;
    }

    boolean isWhole() {
        return isInContent && left == 0;
    }

    int status() {
        return status;
    }
}
