// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.Collection;
import java.util.Optional;

/** The text of many that looks most like another: it begins and ends the same for longest. */
final class Nearest {

    private Nearest() {}

    /** Empty if none shares at least a third of its characters. */
    static Optional<String> of(String text, Collection<String> many) {
        String best = null;
        int most = 0;
        for (String candidate : many) {
            int shared = shared(text, candidate);
            if (shared > most || (shared == most && best != null && candidate.compareTo(best) < 0)) {
                best = candidate;
                most = shared;
            }
        }
        return most * 3 < text.length() ? Optional.empty() : Optional.ofNullable(best);
    }

    private static int shared(String a, String b) {
        int shorter = Math.min(a.length(), b.length());
        int from = 0;
        while (from < shorter && lower(a, from) == lower(b, from)) {
            from++;
        }
        int until = 0;
        while (until < shorter - from && lower(a, a.length() - 1 - until) == lower(b, b.length() - 1 - until)) {
            until++;
        }
        // of two that share as much, the one of the same length is nearer
        return from + until - Math.abs(a.length() - b.length()) / 4;
    }

    private static char lower(String text, int at) {
        return Character.toLowerCase(text.charAt(at));
    }
}
