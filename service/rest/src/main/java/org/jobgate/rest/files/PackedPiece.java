// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.http.HttpServletRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/**
 * A part of a file that is packed on its way, where the client asks for it or says so: {@code Jobgate-Encoding: gzip} (RFC 1952). Ranges and
 * sizes speak of the bytes of the file. It is not HTTP's own content coding, a range of which would be one of the packed bytes (RFC 9110
 * section 14.1.2).
 */
final class PackedPiece {

    /** Of a request and of an answer. */
    static final String HEADER = "Jobgate-Encoding";

    static final String GZIP = "gzip";

    private PackedPiece() {}

    /** Whether the header is there; refused where it names something else. */
    static boolean isAsked(HttpServletRequest request) throws FileRefusal {
        String encoding = request.getHeader(HEADER);
        if (encoding != null && !encoding.strip().equalsIgnoreCase(GZIP)) {
            throw FileRefusal.badRequest(HEADER + " is " + encoding + "; only " + GZIP + " is known.");
        }
        return encoding != null;
    }

    /** Packs what is written; quick rather than small. */
    static GZIPOutputStream packing(OutputStream out) throws IOException {
        return new GZIPOutputStream(out, JobFilesServlet.CHUNK) {
            {
                def.setLevel(Deflater.BEST_SPEED);
            }
        };
    }

    /**
     * What is in a packed body: it must be so many bytes, and no more is unpacked, however large the body makes itself.
     *
     * @throws ZipException from it or its reads if the body is not what was announced
     */
    static InputStream unpacked(InputStream body, long length) throws IOException {
        return new Unpacked(new GZIPInputStream(body), length);
    }

    private static final class Unpacked extends FilterInputStream {

        private long left;

        Unpacked(InputStream in, long length) {
            super(in);
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (left == 0) {
                if (super.read() >= 0) {
                    throw new ZipException("it holds more bytes than Content-Range says");
                }
                return -1;
            }
            int got = super.read(into, from, (int) Math.min(length, left));
            left -= Math.max(0, got);
            return got;
        }
    }
}
