// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * A hash of a password as it is written in a file: bcrypt ({@code $2a$}, {@code $2b$} or {@code $2y$}) or Argon2id ({@code $argon2id$v=19$m=...,t=...,p=...$SALT$HASH}).
 * What a hash costs is bounded, and so is how many are made at once.
 */
final class PasswordHash {

    private static final Pattern BCRYPT = Pattern.compile("\\$2[aby]\\$(\\d\\d)\\$[./A-Za-z0-9]{53}");
    private static final Pattern ARGON2 = Pattern.compile(
            "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})");

    private static final int MAX_COST = 15;
    private static final int MAX_KIB = 256 * 1024;
    private static final int MAX_PASSES = 32;
    private static final int MAX_LANES = 16;

    /** bcrypt looks at no more bytes. */
    private static final int BCRYPT_BYTES = 72;

    /** So many hashes are made at once: each may need much memory. */
    private static final Semaphore AT_ONCE = new Semaphore(2, true);

    private final String written;

    private PasswordHash(String written) {
        this.written = written;
    }

    /** Whether the text is meant as a hash. */
    static boolean isOne(String text) {
        return text.startsWith("$2a$")
                || text.startsWith("$2b$")
                || text.startsWith("$2y$")
                || text.startsWith("$argon2");
    }

    /** @throws IllegalArgumentException that says what is wrong, without the text */
    static PasswordHash parse(String text) {
        Matcher bcrypt = BCRYPT.matcher(text);
        Matcher argon2 = ARGON2.matcher(text);
        if (bcrypt.matches()) {
            int cost = Integer.parseInt(bcrypt.group(1));
            if (cost < 4 || cost > MAX_COST) {
                throw new IllegalArgumentException(
                        "the cost of the bcrypt hash is " + cost + "; it must be 4 to " + MAX_COST);
            }
        } else if (argon2.matches()) {
            bound("memory (m) in KiB", argon2.group(1), 8, MAX_KIB);
            bound("number of passes (t)", argon2.group(2), 1, MAX_PASSES);
            bound("parallelism (p)", argon2.group(3), 1, MAX_LANES);
            decoded("salt", argon2.group(4));
            decoded("hash itself", argon2.group(5));
        } else {
            throw new IllegalArgumentException(
                    "the hash of the password cannot be read; bcrypt ($2y$10$...) and Argon2id"
                            + " ($argon2id$v=19$m=65536,t=3,p=1$...) are known");
        }
        return new PasswordHash(text);
    }

    private static void decoded(String what, String written) {
        try {
            Base64.getDecoder().decode(written);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the " + what + " of the Argon2id hash is no base64; copy all of it", e);
        }
    }

    private static void bound(String what, String written, int least, int most) {
        int value = Integer.parseInt(written);
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "the " + what + " of the Argon2id hash is " + value + "; it must be " + least + " to " + most);
        }
    }

    /** Whether it is the hash of this password. */
    boolean matches(String password) {
        AT_ONCE.acquireUninterruptibly();
        try {
            Matcher argon2 = ARGON2.matcher(written);
            return argon2.matches() ? matches(argon2, password) : matchesBcrypt(password);
        } finally {
            AT_ONCE.release();
        }
    }

    private boolean matchesBcrypt(String password) {
        boolean isTooLong = password.getBytes(StandardCharsets.UTF_8).length > BCRYPT_BYTES;
        // a longer one would be taken by its beginning alone
        return OpenBSDBCrypt.checkPassword(written, (isTooLong ? "" : password).toCharArray()) && !isTooLong;
    }

    private static boolean matches(Matcher argon2, String password) {
        byte[] expected = Base64.getDecoder().decode(argon2.group(5));
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(Integer.parseInt(argon2.group(1)))
                .withIterations(Integer.parseInt(argon2.group(2)))
                .withParallelism(Integer.parseInt(argon2.group(3)))
                .withSalt(Base64.getDecoder().decode(argon2.group(4)))
                .build());
        byte[] made = new byte[expected.length];
        generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), made);
        return MessageDigest.isEqual(expected, made);
    }

    /** Nothing of the hash. */
    @Override
    public String toString() {
        return "a hash";
    }
}
