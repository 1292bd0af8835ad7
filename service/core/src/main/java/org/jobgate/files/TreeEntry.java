// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.files;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What there is under one name in a tree.
 *
 * @param name the last one of the way, as {@link FileNames#text} has it; {@code .} for the top of the tree
 * @param size in bytes
 * @param modified in seconds since 1970; a time before the year 1 or after the year 9999 becomes the first or last of these
 * @param mode the permissions with the set-user-id, set-group-id and sticky bits: 0 to 07777
 * @param owner the name of the account that it belongs to; its number where that has no name
 * @param group the same of the group
 * @param target where a symbolic link says that it leads, as {@link FileNames#text} has it; absent for anything else. Text of the
 *     file's owner: it says nothing about what is there
 */
public record TreeEntry(
        String name,
        Kind kind,
        long size,
        long modified,
        int mode,
        String owner,
        String group,
        @Nullable String target) {

    /** What a name stands for. */
    public enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        /** A pipe, a socket or a device. */
        OTHER;

        /** The kind of that word; {@link #OTHER} for words that are none. */
        public static Kind of(String word) {
            for (Kind kind : values()) {
                if (kind.word().equals(word)) {
                    return kind;
                }
            }
            return OTHER;
        }

        /** The same in small letters. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TreeEntry {
        requireNonNull(name, "name is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(owner, "owner is null");
        requireNonNull(group, "group is null");
        modified = FileTimes.sayable(modified);
    }

    /** The same without where a link leads. */
    public TreeEntry withoutTarget() {
        return target == null ? this : new TreeEntry(name, kind, size, modified, mode, owner, group, null);
    }
}
