// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody probably meant. */
public final class NearestName {

    /** No longer word is a misspelt name; and the work grows with the square of its length. */
    private static final int LONGEST = 64;

    private NearestName() {}

    /** The candidate with the fewest letters to change, if that is fewer than half of the letters. */
    public static Optional<String> to(String name, Collection<String> candidates) {
        if (name.length() > LONGEST) {
            return Optional.empty();
        }
        return candidates.stream()
                .min(Comparator.comparingInt((String candidate) -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(candidate -> distance(name, candidate) * 2 <= Math.max(name.length(), candidate.length()));
    }

    /** Letters to insert, delete or replace, whatever their case. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                boolean same = Character.toLowerCase(from.charAt(i - 1)) == Character.toLowerCase(to.charAt(j - 1));
                int cost = Math.min(Math.min(row[j] + 1, row[j - 1] + 1), diagonal + (same ? 0 : 1));
                diagonal = row[j];
                row[j] = cost;
            }
        }
        return row[to.length()];
    }
}
