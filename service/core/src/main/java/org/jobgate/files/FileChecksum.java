// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** The checksums of files that can be asked for. */
public enum FileChecksum {
    ADLER32,
    CRC32,
    MD5,
    SHA1,
    SHA256,
    SHA512;

    /** One that is being made. */
    public interface Running {

        /** Takes the next bytes of the file. */
        void update(byte[] bytes);

        /** The checksum of all bytes so far, in lower-case hexadecimal; nothing more may come. */
        String end();
    }

    /** The name for clients: {@code sha256} and the like. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one of that name, with or without a hyphen, in letters of any size. */
    public static Optional<FileChecksum> of(String word) {
        String plain = word.toLowerCase(Locale.ROOT).replace("-", "");
        for (FileChecksum algorithm : values()) {
            if (algorithm.word().equals(plain)) {
                return Optional.of(algorithm);
            }
        }
        return Optional.empty();
    }

    /** Begins one over no bytes. */
    public Running begin() {
        return switch (this) {
            case ADLER32 -> of(new Adler32());
            case CRC32 -> of(new CRC32());
            case MD5 -> digest("MD5");
            case SHA1 -> digest("SHA-1");
            case SHA256 -> digest("SHA-256");
            case SHA512 -> digest("SHA-512");
        };
    }

    private static Running of(Checksum checksum) {
        return new Running() {
            @Override
            public void update(byte[] bytes) {
                checksum.update(bytes);
            }

            @Override
            public String end() {
                return HexFormat.of().toHexDigits((int) checksum.getValue());
            }
        };
    }

    @SuppressWarnings(
            "InsecureCryptoUsage") // MD5 and SHA-1 are asked for by clients, to compare files with what others have
    // told
    private static Running digest(String name) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + name, e);
        }
        return new Running() {
            @Override
            public void update(byte[] bytes) {
                digest.update(bytes);
            }

            @Override
            public String end() {
                return HexFormat.of().formatHex(digest.digest());
            }
        };
    }
}
