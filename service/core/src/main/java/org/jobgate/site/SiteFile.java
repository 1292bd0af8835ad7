// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.site;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;

/**
 * What one reading of a site's file found: all of its bytes, as they stood at one moment.
 *
 * <p>Whatever the path leads to, reading it ends: only regular files are opened, for the opening of a pipe would wait for a writer, and no
 * more bytes are read than the caller allows.
 */
public final class SiteFile {

    /** A file that changes at every look is given up after so many. */
    private static final int MAX_ATTEMPTS = 5;

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(20);

    private static final String ATTRIBUTES = "unix:isRegularFile,size,lastModifiedTime,ctime,dev,ino";

    private final byte[] bytes;
    private final Stamp stamp;

    private SiteFile(byte[] bytes, Stamp stamp) {
        this.bytes = bytes;
        this.stamp = stamp;
    }

    /**
     * What tells one state of a file from another.
     *
     * @param identity the file behind the path, so that a replaced file counts as changed
     * @param size bytes
     * @param modified when the content was changed last
     * @param changed when the content, the owner or the permissions were changed last; unlike {@code modified} nobody can set it
     */
    public record Stamp(String identity, long size, FileTime modified, FileTime changed) {

        /** Two changes within one tick of the file system's clock leave the same times. */
        private static final Duration TICK = Duration.ofSeconds(2);

        public Stamp {
            requireNonNull(identity, "identity is null");
            requireNonNull(modified, "modified is null");
            requireNonNull(changed, "changed is null");
        }

        /**
         * Whether a later change is certain to leave another stamp. It is not while the last change is so young, or by a clock so far
         * ahead, that the next one could fall into the same tick.
         *
         * @param lookedAt when the stamp was taken, by this machine's clock
         */
        public boolean isSettled(Instant lookedAt) {
            return changed.toInstant().isBefore(lookedAt.minus(TICK));
        }
    }

    /**
     * The stamp of the file as it stands now.
     *
     * @param maxBytes the largest size that is taken
     * @throws IOException the file is not there, is not a regular file, or is larger
     */
    public static Stamp stamp(Path file, long maxBytes) throws IOException {
        Map<String, Object> found = Files.readAttributes(file, ATTRIBUTES, new LinkOption[0]);
        if (!Boolean.TRUE.equals(found.get("isRegularFile"))) {
            throw new IOException("it is not a regular file");
        }
        long size = ((Number) requireNonNull(found.get("size"))).longValue();
        if (size > maxBytes) {
            throw new IOException("it has " + size + " bytes; at most " + maxBytes + " are read");
        }
        return new Stamp(
                found.get("dev") + ":" + found.get("ino"),
                size,
                (FileTime) requireNonNull(found.get("lastModifiedTime")),
                (FileTime) requireNonNull(found.get("ctime")));
    }

    /**
     * Reads the whole file. One that changes meanwhile is read anew, so that nobody gets half of the old and half of the new.
     *
     * @param maxBytes the largest size that is taken
     * @throws IOException the file is not there, cannot be read, is not a regular file, is larger, or does not stop changing
     */
    public static SiteFile read(Path file, long maxBytes) throws IOException {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            Stamp before = stamp(file, maxBytes);
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(Math.toIntExact(before.size() + 1));
            }
            if (bytes.length == before.size() && before.equals(stamp(file, maxBytes))) {
                return new SiteFile(bytes, before);
            }
            pause();
        }
        throw new IOException("it changes all the time; it was read " + MAX_ATTEMPTS + " times");
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(BETWEEN_ATTEMPTS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the reading was interrupted", e);
        }
    }

    /** Which state of the file these bytes are. */
    public Stamp stamp() {
        return stamp;
    }

    /** The bytes, from the first. */
    public InputStream open() {
        return new ByteArrayInputStream(bytes);
    }

    /** SHA-256 of the bytes, in hex: two readings with the same digest say the same. */
    public String digest() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
