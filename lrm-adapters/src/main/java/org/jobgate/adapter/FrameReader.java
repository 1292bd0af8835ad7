// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds frames in what a worker writes: {@code JG1 <nonce> <length>\n<payload>\n}. Everything else, such as what a login shell
 * prints, is noise: given line by line to a consumer and skipped, even where a frame begins behind it on the same line.
 */
final class FrameReader {

    /** The most bytes that one payload may have. */
    static final int MAX_PAYLOAD = 64 * 1024 * 1024;

    /** How much of a line of noise is kept at a time. */
    static final int MAX_LINE = 8192;

    private static final int MAX_LENGTH_DIGITS = 9;

    private final InputStream in;
    private final byte[] mark;
    private final Consumer<String> noise;
    private final byte[] line = new byte[MAX_LINE];

    FrameReader(InputStream in, String nonce, Consumer<String> noise) {
        this.in = requireNonNull(in, "in is null");
        this.mark = mark(nonce);
        this.noise = requireNonNull(noise, "noise is null");
    }

    /** A whole frame around the payload. */
    static byte[] frame(String nonce, byte[] payload) {
        byte[] mark = mark(nonce);
        byte[] length = (payload.length + "\n").getBytes(StandardCharsets.US_ASCII);
        byte[] frame = Arrays.copyOf(mark, mark.length + length.length + payload.length + 1);
        System.arraycopy(length, 0, frame, mark.length, length.length);
        System.arraycopy(payload, 0, frame, mark.length + length.length, payload.length);
        frame[frame.length - 1] = '\n';
        return frame;
    }

    private static byte[] mark(String nonce) {
        return ("JG1 " + nonce + " ").getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The payload of the next frame; null at the end of the stream.
     *
     * @throws WireException if a frame is broken: nothing after it can be trusted
     */
    byte @Nullable [] next() throws IOException {
        while (true) {
            int length = readLine();
            if (length < 0) {
                return null;
            }
            int begin = indexOfMark(length);
            if (begin >= 0) {
                tellNoise(begin);
                return payload(payloadLength(begin + mark.length, length));
            }
            tellNoise(length);
        }
    }

    /** Reads up to and without the next newline; of a longer line the end is kept, where a frame may begin. -1 at the end. */
    private int readLine() throws IOException {
        int length = 0;
        while (true) {
            int next = in.read();
            if (next < 0) {
                return length > 0 ? length : -1;
            }
            if (next == '\n') {
                return length;
            }
            if (length == MAX_LINE) {
                int kept = mark.length + MAX_LENGTH_DIGITS;
                tellNoise(length - kept);
                System.arraycopy(line, length - kept, line, 0, kept);
                length = kept;
            }
            line[length++] = (byte) next;
        }
    }

    private int indexOfMark(int length) {
        for (int at = length - mark.length; at >= 0; at--) {
            if (Arrays.equals(line, at, at + mark.length, mark, 0, mark.length)) {
                return at;
            }
        }
        return -1;
    }

    private void tellNoise(int length) {
        if (length > 0) {
            noise.accept(new String(line, 0, length, StandardCharsets.UTF_8));
        }
    }

    private int payloadLength(int from, int to) throws WireException {
        int digits = to - from;
        if (digits < 1 || digits > MAX_LENGTH_DIGITS) {
            throw new WireException("a frame's header holds no length");
        }
        int length = 0;
        for (int at = from; at < to; at++) {
            if (line[at] < '0' || line[at] > '9') {
                throw new WireException("a frame's header holds no length");
            }
            length = length * 10 + (line[at] - '0');
        }
        if (length > MAX_PAYLOAD) {
            throw new WireException("a frame of " + length + " bytes is over the limit of " + MAX_PAYLOAD);
        }
        return length;
    }

    private byte[] payload(int length) throws IOException {
        // readNBytes grows with what really comes: a header alone reserves nothing
        byte[] payload = in.readNBytes(length);
        int end = in.read();
        if (payload.length < length || end < 0) {
            throw new EOFException("the stream ended inside a frame");
        }
        if (end != '\n') {
            throw new WireException("a frame does not end where it says");
        }
        return payload;
    }
}
