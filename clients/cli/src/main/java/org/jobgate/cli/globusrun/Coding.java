// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** How pieces of files are packed on their way, as quick as can be; the better one first. */
enum Coding {

    /** Zstandard (RFC 8878), by a native library, which launchers have on the class path where {@code -compress} is given. */
    ZSTD(1e9 / 8) {
        @Override
        boolean isThere() {
            return HasZstd.ANSWER;
        }

        @Override
        byte[] pack(byte[] bytes) {
            return NativeZstd.pack(bytes);
        }

        @Override
        InputStream unpacking(byte[] packed) throws IOException {
            return NativeZstd.unpacking(packed);
        }
    },

    /** Gzip (RFC 1952). */
    GZIP(150e6 / 8) {
        @Override
        boolean isThere() {
            return true;
        }

        @Override
        byte[] pack(byte[] bytes) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2 + 64);
            try (GZIPOutputStream packed = new GZIPOutputStream(out, 64 * 1024) {
                {
                    def.setLevel(Deflater.BEST_SPEED);
                }
            }) {
                packed.write(bytes);
            }
            return out.toByteArray();
        }

        @Override
        InputStream unpacking(byte[] packed) throws IOException {
            return new GZIPInputStream(new ByteArrayInputStream(packed));
        }
    };

    private final double fast;

    Coding(double fast) {
        this.fast = fast;
    }

    /** Bytes per second on the wire from which on packing takes longer than sending. */
    double fast() {
        return fast;
    }

    /** Whether it can be used here; the first question loads what it needs. */
    abstract boolean isThere();

    abstract byte[] pack(byte[] bytes) throws IOException;

    abstract InputStream unpacking(byte[] packed) throws IOException;

    /**
     * What is in packed bytes.
     *
     * @throws IOException if they are damaged, or more than was asked for
     */
    byte[] unpack(byte[] packed, int most) throws IOException {
        try (InputStream in = unpacking(packed)) {
            byte[] bytes = in.readNBytes(most);
            if (in.read() >= 0) {
                throw new IOException("the service sent more than was asked for");
            }
            return bytes;
        }
    }

    /** The word of the header. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The best of those that can be used here. */
    static Coding here() {
        return ZSTD.isThere() ? ZSTD : GZIP;
    }

    /** The words of those that can be used here, as the header has them. */
    static String words() {
        return here() == GZIP ? GZIP.word() : ZSTD.word() + ", " + GZIP.word();
    }

    /** The best of those that a service names in its header and that can be used here; null where there is none. */
    static @Nullable Coding best(String header) {
        for (String word : header.split(",", -1)) {
            Coding coding = of(word);
            if (coding != null && coding.isThere()) {
                return coding;
            }
        }
        return null;
    }

    /** The one that a header names; null where it names none that is known. */
    static @Nullable Coding of(String word) {
        return Arrays.stream(values())
                .filter(coding -> coding.word().equals(word.strip()))
                .findFirst()
                .orElse(null);
    }

    private static final class HasZstd {
        static final boolean ANSWER = look();

        private static boolean look() {
            try {
                NativeZstd.load();
                return true;
            } catch (LinkageError e) {
                return false; // gzip is there always
            }
        }
    }
}
