// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The content of an answer in JSON, packed where the client takes it and it is worth it. What is short goes out whole at {@link #end}, so that until then it
 * can become another answer. What is long goes out while it is written: its client reads it meanwhile, and it is never in memory whole.
 */
final class ReplyContent extends OutputStream {

    /** Below this, packing costs more than it saves. */
    private static final int WORTH_PACKING = 1_400;

    private static final int USUAL_SIZE = 1_024;
    private static final int LONGEST_HELD = 65_536;
    private static final int PACKED_AT_ONCE = 8_192;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final int status;
    private byte[] held = new byte[USUAL_SIZE];
    private int count;
    private @Nullable OutputStream out;

    ReplyContent(HttpServletRequest request, HttpServletResponse response, int status) {
        this.request = requireNonNull(request, "request is null");
        this.response = requireNonNull(response, "response is null");
        this.status = status;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (out == null && count + length <= LONGEST_HELD) {
            if (count + length > held.length) {
                held = Arrays.copyOf(held, Math.max(2 * held.length, count + length));
            }
            System.arraycopy(bytes, offset, held, count, length);
            count += length;
        } else {
            begun().write(bytes, offset, length);
        }
    }

    private OutputStream begun() throws IOException {
        OutputStream to = out;
        if (to == null) {
            ApiReply.head(response, status, ApiReply.JSON_TYPE);
            to = response.getOutputStream();
            if (ApiReply.takesGzip(request)) {
                response.setHeader("Content-Encoding", "gzip");
                to = new Packed(to);
            }
            to.write(held, 0, count);
            held = new byte[0];
            count = 0;
            out = to;
        }
        return to;
    }

    /** Sends what is left: the content is whole. Without this the answer is cut off, as a client can see. */
    void end() throws IOException {
        if (out != null) {
            out.close();
        } else {
            ApiReply.write(request, response, status, ApiReply.JSON_TYPE, Arrays.copyOf(held, count));
        }
    }

    /** Nothing: whoever writes JSON closes this also where it failed half-way. */
    @Override
    public void close() {
        // see end
    }

    /** Whether a content of this many bytes is to be packed. */
    static boolean isWorthPacking(int bytes) {
        return bytes >= WORTH_PACKING;
    }

    /** In the quickest way: what is sent here repeats itself so much that it becomes small by that too. */
    static final class Packed extends GZIPOutputStream {

        Packed(OutputStream to) throws IOException {
            super(to, PACKED_AT_ONCE);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
