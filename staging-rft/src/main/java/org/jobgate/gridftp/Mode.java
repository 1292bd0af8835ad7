// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

/** How bytes are laid on data channels (command {@code MODE}). */
public enum Mode {
    /** One connection, bytes in order, its end is the end of the file (RFC 959). */
    STREAM("S"),
    /** Blocks with their offset, any number of connections, restart by ranges (GFD.020). */
    EXTENDED("E");

    private final String letter;

    Mode(String letter) {
        this.letter = letter;
    }

    String command() {
        return "MODE " + letter;
    }
}
