// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

/** What protects the bytes of a data channel (command {@code PROT}; RFC 2228). Other than {@link #CLEAR} needs authentication. */
public enum Protection {
    /** Nothing. */
    CLEAR("C"),
    /** Integrity. Between two servers only: a client-side transfer uses {@link #PRIVATE} in its place. */
    SAFE("S"),
    /** Integrity and confidentiality. */
    PRIVATE("P");

    private final String letter;

    Protection(String letter) {
        this.letter = letter;
    }

    String command() {
        return "PROT " + letter;
    }
}
