// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may come with a name and a password: a file with a line for each, {@code name TAB password TAB subject}. In the place of the password there
 * should be a hash of it ({@link PasswordHash}); one that stands there as it is works too, and is the only kind from which a digest can be checked.
 * The file must be its owner's alone.
 */
public final class Passwords {

    private static final int MAX_USERS = 10_000;
    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final Map<String, User> users;
    private final @Nullable PasswordHash anyHash;

    /**
     * Of one line.
     *
     * @param password as it is; empty where the line has a hash
     */
    record User(String password, @Nullable PasswordHash hash, String subject) {

        boolean isHashed() {
            return hash != null;
        }

        /** Whether this is the password; takes as long for a wrong one as for the right one. */
        boolean has(String given) {
            return hash != null
                    ? hash.matches(given)
                    : MessageDigest.isEqual(
                            given.getBytes(StandardCharsets.UTF_8), password.getBytes(StandardCharsets.UTF_8));
        }

        /** Without the password. */
        @Override
        public String toString() {
            return subject;
        }
    }

    private Passwords(Map<String, User> users) {
        this.users = Map.copyOf(users);
        this.anyHash = users.values().stream()
                .map(User::hash)
                .filter(Objects::nonNull)
                .findAny()
                .orElse(null);
    }

    /** Nobody. */
    public static Passwords none() {
        return new Passwords(Map.of());
    }

    /**
     * Reads the file, once.
     *
     * @throws IllegalArgumentException that says what is wrong with the file, with the number of the line
     * @throws IOException if it cannot be read
     */
    public static Passwords read(Path file) throws IOException {
        requireNonNull(file, "file is null");
        if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
            throw new IllegalArgumentException("is readable by others than its owner; say chmod 600");
        }
        Map<String, User> users = new HashMap<>();
        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isBlank() && !line.startsWith("#")) {
                add(users, line, i + 1);
            }
        }
        return new Passwords(users);
    }

    private static void add(Map<String, User> users, String line, int number) {
        String[] parts = line.split("\t", -1);
        if (parts.length != 3 || parts[0].isBlank() || parts[1].isEmpty() || !parts[2].startsWith("/")) {
            throw new IllegalArgumentException("line " + number
                    + " is not a name, a password and a subject such as /O=Grid/CN=Alice, with tabs between");
        }
        if (users.put(parts[0], user(parts[1], parts[2], number)) != null) {
            throw new IllegalArgumentException("line " + number + " names a user for the second time");
        }
        if (users.size() > MAX_USERS) {
            throw new IllegalArgumentException("names more than " + MAX_USERS + " users");
        }
    }

    private static User user(String written, String subject, int number) {
        try {
            return PasswordHash.isOne(written)
                    ? new User("", PasswordHash.parse(written), subject)
                    : new User(written, null, subject);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
        }
    }

    /** How many stand in the file as they are. */
    public long inClear() {
        return users.values().stream().filter(user -> !user.isHashed()).count();
    }

    boolean hasHashes() {
        return anyHash != null;
    }

    /**
     * Whether the name has this password. An unknown name takes as long as a known one with a wrong password: something is hashed for it too.
     */
    boolean fits(@Nullable String name, String password) {
        Optional<User> user = of(name);
        if (anyHash != null && user.map(known -> !known.isHashed()).orElse(true)) {
            anyHash.matches(password);
        }
        return user.map(known -> known.has(password)).orElse(false);
    }

    Optional<User> of(@Nullable String name) {
        return name == null ? Optional.empty() : Optional.ofNullable(users.get(name));
    }

    boolean isEmpty() {
        return users.isEmpty();
    }
}
