// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a file of a job is, or one in a tree that the site exports, as the account sees it. One rule for names holds at every door: all but a slash and NUL may stand in one,
 * {@code .} and {@code ..} are none. They are texts as {@link FileNames} makes them of bytes.
 */
public sealed interface FilePlace {

    /** The most names on a way below a directory. */
    int MAX_NAMES = 64;

    /** The most bytes of a name; no file system of Linux has longer ones. */
    int MAX_NAME_BYTES = 255;

    /** The job's directory, or the top of the tree; absent means the account's home, and a relative one is below that. */
    @Nullable
    String directory();

    /**
     * A file that the job's description names. Its owner chose the directory, which may lie behind symbolic links; the file itself must
     * not be one.
     *
     * @param path absolute, or relative to the directory
     */
    record Named(@Nullable String directory, String path) implements FilePlace {
        public Named {
            requireNonNull(path, "path is null");
            if (path.isEmpty() || path.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("not a path: '" + path + "'");
            }
        }
    }

    /**
     * A file below the job's directory, on a way without symbolic links.
     *
     * @param names of the directories on the way, and of the file
     */
    record Below(@Nullable String directory, List<String> names) implements FilePlace {
        public Below {
            names = List.copyOf(names);
            if (names.isEmpty() || names.size() > MAX_NAMES) {
                throw new IllegalArgumentException(
                        "a way of " + names.size() + " names; 1 to " + MAX_NAMES + " are possible");
            }
            names.forEach(FilePlace::requireName);
        }
    }

    /**
     * A place in a tree that the site exports. On the way to it a symbolic link is followed where root or the account itself has made it
     * and it leads to a place in the same tree; a link of anybody else, and one that leads out of the tree, is refused. Where a file is
     * read, the last name may be such a link too; where something is written, renamed, removed or changed, the last name is what it is.
     *
     * @param names of the directories on the way, and of the file; none for the top of the tree itself
     * @param blocked paths from the top of the tree that are not exported, and {@code readOnly} those that can only be read ({@link TreeRules})
     */
    record InTree(@Nullable String directory, List<String> names, List<String> blocked, List<String> readOnly)
            implements FilePlace {
        public InTree {
            names = List.copyOf(names);
            blocked = List.copyOf(blocked);
            readOnly = List.copyOf(readOnly);
            if (names.size() > MAX_NAMES) {
                throw new IllegalArgumentException(
                        "a way of " + names.size() + " names; at most " + MAX_NAMES + " are possible");
            }
            names.forEach(FilePlace::requireName);
        }
    }

    private static void requireName(String name) {
        boolean isOdd = name.isEmpty() || name.equals(".") || name.equals("..");
        if (isOdd || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not the name of a file: '" + FileNames.shown(name) + "'");
        }
        if (FileNames.bytes(name).length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("a name of more than " + MAX_NAME_BYTES + " bytes");
        }
    }
}
