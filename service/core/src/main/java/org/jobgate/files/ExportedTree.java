// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/**
 * A directory that the site exports, for each account its own or one for all.
 *
 * @param name by which doors call it: 1 to 64 letters, digits, {@code .}, {@code _} and {@code -}, the first a letter or digit
 * @param path absolute, where {@code ${account}} stands for the account's name; or {@code ${home}}, alone or with a path behind it,
 *     for the account's home
 * @param isWritable whether anything but reading is possible
 */
public record ExportedTree(String name, String path, boolean isWritable) {

    /** What stands for the account's home at the beginning of a path. */
    public static final String HOME = "${home}";

    /** What stands for the account's name in a path. */
    public static final String ACCOUNT = "${account}";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public ExportedTree {
        requireNonNull(name, "name is null");
        requireNonNull(path, "path is null");
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

    /** The directory of one account, as {@link FilePlace#directory} has it: absolute, or relative to the account's home. */
    public String directory(String account) {
        String path = this.path.replace(ACCOUNT, account);
        if (!path.startsWith(HOME)) {
            return path;
        }
        String below = path.substring(HOME.length());
        return below.chars().allMatch(c -> c == '/') ? "." : below.replaceFirst("^/+", "");
    }
}
