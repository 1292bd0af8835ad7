// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

/**
 * Something in a directory.
 *
 * @param name one name, without a slash
 * @param kind what it is; what is neither file nor directory (links, devices) is listed and not followed
 * @param size in bytes; {@link Source#UNKNOWN} where it is not known
 */
public record Entry(String name, Kind kind, long size) {

    /** What an entry is. */
    public enum Kind {
        FILE,
        DIRECTORY,
        OTHER
    }

    public Entry {
        requireNonNull(kind, "kind is null");
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('/') >= 0
                || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not the name of an entry: '" + name + "'");
        }
    }
}
