// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The events of one stream of server-sent events (the HTML standard, section 9.2) that comes in chunks (RFC 9112 section 7.1). For one
 * thread. An event with more than 64 KiB of data breaks it off.
 */
public final class EventReader {

    private static final int LONGEST_LINE = 64 << 10;

    private final InputStream in;
    private long leftInChunk;
    private boolean isBegun;

    /** @param in behind the headers of the answer */
    EventReader(InputStream in) {
        this.in = requireNonNull(in, "in is null");
    }

    /**
     * An event.
     *
     * @param name as the stream calls it; {@code message} where it does not
     */
    public record Event(String name, String data) {}

    /**
     * Waits for the next event that has data.
     *
     * @throws EOFException when the stream is over
     */
    public Event next() throws IOException {
        String name = "message";
        String data = null;
        while (true) {
            String line = line();
            if (line.isEmpty()) {
                if (data != null) {
                    return new Event(name, data);
                }
                name = "message";
            } else if (line.startsWith("event:")) {
                name = line.substring("event:".length()).strip();
            } else if (line.startsWith("data:")) {
                data = joined(data, line.substring("data:".length()).strip());
            }
        }
    }

    private static String joined(@Nullable String before, String more) {
        return before == null ? more : before + "\n" + more;
    }

    private String line() throws IOException {
        byte[] bytes = new byte[256];
        int length = 0;
        for (int next = read(); next != '\n'; next = read()) {
            if (length == LONGEST_LINE) {
                throw new IOException("a line of the stream is longer than " + LONGEST_LINE + " bytes");
            }
            if (length == bytes.length) {
                bytes = java.util.Arrays.copyOf(bytes, 2 * length);
            }
            bytes[length++] = (byte) next;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private int read() throws IOException {
        if (leftInChunk == 0) {
            if (isBegun) {
                HttpReply.line(in); // the end of the chunk before
            }
            isBegun = true;
            leftInChunk = HttpReply.number(HttpReply.line(in).split(";", 2)[0], 16);
            if (leftInChunk == 0) {
                throw new EOFException("the stream of events is over");
            }
        }
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the connection ended within a chunk");
        }
        leftInChunk--;
        return next;
    }
}
