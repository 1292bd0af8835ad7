// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jobgate.job.Reason;

/**
 * The key under which the site keeps delegated credentials: AES-256-GCM. What is sealed is bound to a label, so that one record's
 * content opens in no other record.
 */
public final class SiteKey {

    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final SecretKey key;
    private final SecureRandom random;
    private final boolean isNew;

    private SiteKey(byte[] key, SecureRandom random, boolean isNew) {
        this.key = new SecretKeySpec(key, "AES");
        this.random = requireNonNull(random, "random is null");
        this.isNew = isNew;
    }

    /**
     * Reads the key, or makes it where there is none.
     *
     * @throws IllegalStateException that says why the file cannot be used and what to do
     */
    public static SiteKey in(Path file, SecureRandom random) {
        try {
            boolean isNew = !Files.exists(file);
            if (isNew) {
                make(file, random);
            }
            if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
                throw new IllegalStateException("The site key " + file
                        + " may be used by others than its owner; do: chmod 600 " + file
                        + ", and find out who has read it.");
            }
            byte[] bytes = Files.size(file) == KEY_BYTES ? Files.readAllBytes(file) : new byte[0];
            if (bytes.length != KEY_BYTES) {
                throw new IllegalStateException("The site key " + file + " does not have its " + KEY_BYTES
                        + " bytes; put the right file there from the backup.");
            }
            return new SiteKey(bytes, random, isNew);
        } catch (IOException e) {
            throw new IllegalStateException("The site key " + file + " cannot be used: " + Reason.of(e), e);
        }
    }

    /** Whole or not at all: a file that was cut short would look like another key. */
    private static void make(Path file, SecureRandom random) throws IOException {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(beside);
        try (FileChannel out = FileChannel.open(
                beside,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
            out.write(ByteBuffer.wrap(bytes));
            out.force(true);
        }
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Whether it was made just now, so that nothing older can be opened with it. */
    public boolean isNew() {
        return isNew;
    }

    byte[] seal(byte[] plain, String label) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, label).doFinal(plain);
            return ByteBuffer.allocate(nonce.length + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES-GCM", e);
        }
    }

    /** @throws GeneralSecurityException if it was not sealed with this key and label, or was changed since */
    byte[] open(byte[] sealed, String label) throws GeneralSecurityException {
        if (sealed.length < NONCE_BYTES) {
            throw new GeneralSecurityException("it is too short");
        }
        byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
        return cipher(Cipher.DECRYPT_MODE, nonce, label).doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
    }

    private Cipher cipher(int mode, byte[] nonce, String label) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(label.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
