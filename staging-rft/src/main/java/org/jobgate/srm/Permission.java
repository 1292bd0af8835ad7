// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import java.util.Locale;
import java.util.Optional;

/** Permissions as SRM has them (TPermissionMode): three bits by a word. */
final class Permission {

    private static final String[] WORDS = {"NONE", "X", "W", "WX", "R", "RX", "RW", "RWX"};
    private static final int MASK = 7;

    private Permission() {}

    /** The word for the three lowest bits. */
    static String word(int bits) {
        return WORDS[bits & MASK];
    }

    /** The bits of a word. */
    static Optional<Integer> bits(String word) {
        for (int bits = 0; bits < WORDS.length; bits++) {
            if (WORDS[bits].equals(word.toUpperCase(Locale.ROOT))) {
                return Optional.of(bits);
            }
        }
        return Optional.empty();
    }
}
