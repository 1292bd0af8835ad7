// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.http.HttpServletRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * A part of a file that is packed on its way, where the client asks for it or says so: {@code Jobgate-Encoding: zstd} or {@code gzip}. Ranges
 * and sizes speak of the bytes of the file. It is not HTTP's own content coding, a range of which would be one of the packed bytes (RFC
 * 9110 section 14.1.2).
 */
public final class PackedPiece {

    /** The header of requests and answers. */
    public static final String HEADER = "Jobgate-Encoding";

    private PackedPiece() {}

    /** What the answer is to be packed with: the first of the header's words that is known here; refused where none is. */
    public static Optional<PieceCoding> wanted(HttpServletRequest request) throws FileRefusal {
        List<String> words = words(request);
        Optional<PieceCoding> known =
                words.stream().flatMap(word -> find(word).stream()).findFirst();
        if (!words.isEmpty() && known.isEmpty()) {
            throw unknown(request);
        }
        return known;
    }

    /** What the body is packed with; refused where that is not known here. */
    public static Optional<PieceCoding> ofBody(HttpServletRequest request) throws FileRefusal {
        List<String> words = words(request);
        Optional<PieceCoding> known = words.size() == 1 ? find(words.getFirst()) : Optional.empty();
        if (!words.isEmpty() && known.isEmpty()) {
            throw unknown(request);
        }
        return known;
    }

    private static List<String> words(HttpServletRequest request) {
        String header = request.getHeader(HEADER);
        return header == null
                ? List.of()
                : Arrays.stream(header.split(",", -1))
                        .map(word -> word.strip().toLowerCase(Locale.ROOT))
                        .toList();
    }

    private static Optional<PieceCoding> find(String word) {
        return PieceCoding.usable().stream()
                .filter(coding -> coding.word().equals(word))
                .findFirst();
    }

    private static FileRefusal unknown(HttpServletRequest request) {
        return FileRefusal.badRequest(
                HEADER + " is " + request.getHeader(HEADER) + "; known here: " + PieceCoding.words() + ".");
    }

    /**
     * What is in a packed body: it must be so many bytes, and no more is unpacked, however large the body makes itself. To be closed; the
     * body stays open.
     *
     * @throws ZipException from it or its reads if the body is not what was announced
     */
    public static InputStream unpacked(PieceCoding coding, InputStream body, long length) throws IOException {
        return new Unpacked(coding.unpacking(body), length);
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
                if (super.read(new byte[1], 0, 1) >= 0) {
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
