// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may come with a name and a password: a file with a line for each, {@code name TAB password TAB subject}. The passwords stand there
 * as they are, for a digest is made from the password itself; so the file must be its owner's alone.
 */
public final class Passwords {

    private static final int MAX_USERS = 10_000;
    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final Map<String, User> users;

    /** Of one line. */
    record User(String password, String subject) {

        /** Without the password. */
        @Override
        public String toString() {
            return subject;
        }
    }

    private Passwords(Map<String, User> users) {
        this.users = Map.copyOf(users);
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
        if (users.put(parts[0], new User(parts[1], parts[2])) != null) {
            throw new IllegalArgumentException("line " + number + " names a user for the second time");
        }
        if (users.size() > MAX_USERS) {
            throw new IllegalArgumentException("names more than " + MAX_USERS + " users");
        }
    }

    Optional<User> of(@Nullable String name) {
        return name == null ? Optional.empty() : Optional.ofNullable(users.get(name));
    }

    boolean isEmpty() {
        return users.isEmpty();
    }
}
