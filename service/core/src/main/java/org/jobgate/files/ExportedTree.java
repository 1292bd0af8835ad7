// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A directory that the site exports, for each account its own or one for all.
 *
 * @param name by which doors call it: 1 to 64 letters, digits, {@code .}, {@code _} and {@code -}, the first a letter or digit
 * @param path absolute, where {@code ${account}} stands for the account's name; or {@code ${home}}, alone or with a path behind it,
 *     for the account's home
 * @param isWritable whether anything but reading is possible
 * @param accounts that see it, by their names, or {@code NAME*} for all whose names begin so; all accounts where there is none
 * @param writers those of them for which it is writable, named alike; all of them where there is none
 * @param rules for paths inside it
 */
public record ExportedTree(
        String name, String path, boolean isWritable, List<String> accounts, List<String> writers, TreeRules rules) {

    /** What stands for the account's home at the beginning of a path. */
    public static final String HOME = "${home}";

    /** What stands for the account's name in a path. */
    public static final String ACCOUNT = "${account}";

    private static final Pattern ACCOUNTS = Pattern.compile("[A-Za-z0-9_.-]+[*$]?");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public ExportedTree {
        requireNonNull(name, "name is null");
        requireNonNull(path, "path is null");
        requireNonNull(rules, "rules is null");
        accounts = checked(name, accounts);
        writers = checked(name, writers);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'" + name
                            + "' is no name of a tree: 1 to 64 letters, digits, '.', '_' and '-' are, the first a letter or digit");
        }
        boolean isBelowHome = path.equals(HOME) || path.startsWith(HOME + "/");
        String rest = (isBelowHome ? path.substring(HOME.length()) : path).replace(ACCOUNT, "");
        if (!isBelowHome && !path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "the tree " + name + " has the path '" + path + "': it must begin with / or with " + HOME);
        }
        if (rest.contains("${") || rest.indexOf('\0') >= 0 || ("/" + rest + "/").contains("/../")) {
            throw new IllegalArgumentException("the tree " + name + " has the path '" + path + "': only " + HOME
                    + " (at the beginning) and " + ACCOUNT + " can be replaced in it, and '..' is not possible");
        }
    }

    /** One for all accounts, without rules for paths inside it. */
    public ExportedTree(String name, String path, boolean isWritable) {
        this(name, path, isWritable, List.of(), List.of(), TreeRules.NONE);
    }

    private static List<String> checked(String tree, List<String> accounts) {
        for (String account : accounts) {
            if (!ACCOUNTS.matcher(account).matches()) {
                throw new IllegalArgumentException("the tree " + tree + " is for the account '" + account
                        + "': write the name of an account, or the beginning of names and a * behind it");
            }
        }
        return List.copyOf(accounts);
    }

    private static boolean isAmong(String account, List<String> accounts) {
        return accounts.isEmpty()
                || accounts.stream()
                        .anyMatch(one -> one.endsWith("*")
                                ? account.startsWith(one.substring(0, one.length() - 1))
                                : account.equals(one));
    }

    /** The tree as this account may use it; empty where it does not see it. */
    public Optional<ExportedTree> of(String account) {
        if (!isAmong(account, accounts)) {
            return Optional.empty();
        }
        return Optional.of(
                !isWritable || isAmong(account, writers)
                        ? this
                        : new ExportedTree(name, path, false, accounts, writers, rules));
    }

    /** The directory of one account, as {@link FilePlace#directory} has it: absolute, or relative to the account's home. */
    public String directory(String account) {
        String path = this.path.replace(ACCOUNT, account);
        if (!path.startsWith(HOME)) {
            return path;
        }
        String below = path.substring(HOME.length());
        return below.chars().allMatch(c -> c == '/') ? "." : below.replaceFirst("^/+", "");
    }

    /** A place in the tree of one account, for which the rules of the tree hold. */
    public FilePlace place(String account, List<String> way) {
        return new FilePlace.InTree(directory(account), way, rules.blocked(account), rules.readOnly(account));
    }
}
