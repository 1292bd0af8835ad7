// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.Adler32;

/** A checksum of a file: hexadecimal digits in small letters, as many as the algorithm has. */
public enum ChecksumAlgorithm {
    ADLER32(8),
    MD5(32),
    SHA256(64);

    private static final int BUFFER = 64 * 1024;

    private final int digits;

    ChecksumAlgorithm(int digits) {
        this.digits = digits;
    }

    /**
     * The algorithm of a word, e.g. {@code sha256}.
     *
     * @throws IllegalArgumentException that lists those there are
     */
    public static ChecksumAlgorithm of(String word) {
        for (ChecksumAlgorithm algorithm : values()) {
            if (algorithm.word().equalsIgnoreCase(word)) {
                return algorithm;
            }
        }
        throw new IllegalArgumentException("there is no checksum " + word + "; there are adler32, md5 and sha256");
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * A checksum as it is written here: servers leave zeros out at the front, or write large letters.
     *
     * @throws IllegalArgumentException if it is none
     */
    public String normalized(String checksum) {
        String text = checksum.strip().toLowerCase(Locale.ROOT);
        if (!text.matches("[0-9a-f]{1," + digits + "}") || (this != ADLER32 && text.length() != digits)) {
            throw new IllegalArgumentException(
                    "not a checksum of " + word() + ", which has " + digits + " hexadecimal digits");
        }
        return "0".repeat(digits - text.length()) + text;
    }

    /**
     * Of all that a stream gives.
     *
     * @param progress is told that something is done, for reading takes its time
     */
    public String of(InputStream bytes, Progress progress) throws IOException {
        byte[] buffer = new byte[BUFFER];
        Adler32 adler = new Adler32();
        MessageDigest digest = this == ADLER32 ? null : digest();
        for (int count = bytes.read(buffer); count >= 0; count = bytes.read(buffer)) {
            if (digest == null) {
                adler.update(buffer, 0, count);
            } else {
                digest.update(buffer, 0, count);
            }
            progress.came(count);
        }
        return digest == null
                ? String.format(Locale.ROOT, "%08x", adler.getValue())
                : HexFormat.of().formatHex(digest.digest());
    }

    private MessageDigest digest() {
        try {
            return MessageDigest.getInstance(this == MD5 ? "MD5" : "SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + this, e);
        }
    }
}
