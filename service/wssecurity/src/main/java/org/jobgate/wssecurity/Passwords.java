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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may come with a name and a password: a file with a line for each, {@code name TAB password TAB subject}. In the place of the password there
 * should be a hash of it ({@link PasswordHash}), or {@code $pam$ACCOUNT} where it is that of a local account (of the same name where ACCOUNT is
 * empty); one that stands there as it is works too, and is the only kind from which a digest can be checked. The file must be its owner's alone.
 */
public final class Passwords {

    private static final int MAX_USERS = 10_000;
    private static final String OF_ACCOUNT = "$pam$";
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final Map<String, User> users;
    private final AccountPasswords accounts;
    private final @Nullable PasswordHash anyHash;

    /**
     * Of one line.
     *
     * @param password as it is; empty where the line has none
     * @param account whose password it is; null where the line has the password or its hash
     */
    record User(
            String password,
            @Nullable PasswordHash hash,
            @Nullable String account,
            String subject) {

        /** Whether the password itself is known, of which alone a digest can be made. */
        boolean isInClear() {
            return hash == null && account == null;
        }

        /** Whether this is the password of a line that has it or its hash; takes as long for a wrong one as for the right one. */
        private boolean has(String given) {
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

    private Passwords(Map<String, User> users, AccountPasswords accounts) {
        this.users = Map.copyOf(users);
        this.accounts = accounts;
        this.anyHash = users.values().stream()
                .map(User::hash)
                .filter(Objects::nonNull)
                .findAny()
                .orElse(null);
    }

    /** Nobody. */
    public static Passwords none() {
        return new Passwords(Map.of(), (account, password) -> false);
    }

    /**
     * Reads the file, once.
     *
     * @param accounts asked for the passwords of local accounts that the file names
     * @throws IllegalArgumentException that says what is wrong with the file, with the number of the line
     * @throws IOException if it cannot be read
     */
    public static Passwords read(Path file, AccountPasswords accounts) throws IOException {
        requireNonNull(file, "file is null");
        requireNonNull(accounts, "accounts is null");
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
        return new Passwords(users, accounts);
    }

    private static void add(Map<String, User> users, String line, int number) {
        String[] parts = line.split("\t", -1);
        if (parts.length != 3 || parts[0].isBlank() || parts[1].isEmpty() || !parts[2].startsWith("/")) {
            throw new IllegalArgumentException("line " + number
                    + " is not a name, a password and a subject such as /O=Grid/CN=Alice, with tabs between");
        }
        if (users.put(parts[0], user(parts, number)) != null) {
            throw new IllegalArgumentException("line " + number + " names a user for the second time");
        }
        if (users.size() > MAX_USERS) {
            throw new IllegalArgumentException("names more than " + MAX_USERS + " users");
        }
    }

    private static User user(String[] parts, int number) {
        String written = parts[1];
        String subject = parts[2];
        if (written.startsWith(OF_ACCOUNT)) {
            String account =
                    written.length() == OF_ACCOUNT.length() ? parts[0] : written.substring(OF_ACCOUNT.length());
            if (!ACCOUNT.matcher(account).matches()) {
                throw new IllegalArgumentException("line " + number + ": what follows " + OF_ACCOUNT
                        + " (or the name of the line) cannot be the name of a local account");
            }
            return new User("", null, account, subject);
        }
        try {
            return PasswordHash.isOne(written)
                    ? new User("", PasswordHash.parse(written), null, subject)
                    : new User(written, null, null, subject);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
        }
    }

    /** The local accounts whose own passwords count, in the order of the alphabet. */
    public List<String> accounts() {
        return users.values().stream()
                .map(User::account)
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    /** How many stand in the file as they are. */
    public long inClear() {
        return users.values().stream().filter(User::isInClear).count();
    }

    /** Whether there are some of which no digest can be checked. */
    boolean hasHidden() {
        return users.values().stream().anyMatch(user -> !user.isInClear());
    }

    /** Whether the system is asked for some, which takes a time of its own. */
    boolean hasAccounts() {
        return users.values().stream().anyMatch(user -> user.account() != null);
    }

    /**
     * Whether the name has this password. An unknown name has as much hashed for it as a known one.
     */
    boolean fits(@Nullable String name, String password) {
        User user = of(name).orElse(null);
        if (anyHash != null && (user == null || user.hash() == null)) {
            anyHash.matches(password);
        }
        if (user == null) {
            return false;
        }
        String account = user.account();
        return account == null ? user.has(password) : accounts.fit(account, password);
    }

    Optional<User> of(@Nullable String name) {
        return name == null ? Optional.empty() : Optional.ofNullable(users.get(name));
    }

    boolean isEmpty() {
        return users.isEmpty();
    }
}
