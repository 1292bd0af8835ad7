// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import java.util.List;

/**
 * Paths inside an exported tree for which other rules hold than for the rest of it. They hold at every door, for all that is below a path,
 * and for a symbolic link that leads there; a directory that has such a path in it can be neither renamed nor removed.
 *
 * @param blocked what is not exported: it cannot be used in any way, and listings leave it out
 * @param readOnly what can only be read, in a tree that is writable. Both are paths from the top of the tree, without a slash at either
 *     end, of which {@code ${account}} stands for the account's name
 */
public record TreeRules(List<String> blocked, List<String> readOnly) {

    /** No other rules than those of the tree. */
    public static final TreeRules NONE = new TreeRules(List.of(), List.of());

    /** So many paths of each kind may be named: each is looked up for each request. */
    public static final int MAX_PATHS = 64;

    /**
     * Looks at how the paths are written, not whether they are there.
     *
     * @throws IllegalArgumentException if one is no path below the top of a tree, or there are more than {@link #MAX_PATHS}
     */
    public TreeRules {
        blocked = checked(blocked);
        readOnly = checked(readOnly);
    }

    private static List<String> checked(List<String> paths) {
        if (paths.size() > MAX_PATHS) {
            throw new IllegalArgumentException(
                    "there are rules for " + paths.size() + " paths of a tree; at most " + MAX_PATHS + " are possible");
        }
        for (String path : paths) {
            try {
                if (path.replace(ExportedTree.ACCOUNT, "").contains("${")) {
                    throw new IllegalArgumentException("only " + ExportedTree.ACCOUNT + " can be replaced in it");
                }
                new FilePlace.InTree(null, List.of(path.split("/", -1)), List.of(), List.of());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "'" + FileNames.shown(path)
                                + "' is no path below the top of a tree, as a/b without a slash at either end: "
                                + e.getMessage(),
                        e);
            }
        }
        return List.copyOf(paths);
    }

    private static List<String> of(List<String> paths, String account) {
        return paths.stream()
                .map(path -> path.replace(ExportedTree.ACCOUNT, account))
                .toList();
    }

    /** {@link #blocked} for one account. */
    List<String> blocked(String account) {
        return of(blocked, account);
    }

    /** {@link #readOnly} for one account. */
    List<String> readOnly(String account) {
        return of(readOnly, account);
    }
}
