// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody probably meant. */
public final class NearestName {

    /** No longer word is a misspelt name; and the work grows with the square of its length. */
    private static final int LONGEST = 64;

    private NearestName() {}

    /** The name with the fewest letters to change, if these are at most a third of them; empty where no name is near. */
    public static Optional<String> to(String word, Collection<String> names) {
        if (word.length() > LONGEST) {
            return Optional.empty();
        }
        return names.stream()
                .min(Comparator.comparingInt((String name) -> distance(word, name))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(name -> distance(word, name) * 3 <= Math.max(word.length(), name.length()));
    }

    /** " Did you mean NAME?", to stand behind a sentence; empty where no name is near. */
    public static String question(String word, Collection<String> names) {
        return to(word, names).map(name -> " Did you mean " + name + "?").orElse("");
    }

    /** Letters to insert, delete, replace or swap with the next, whatever their case. */
    private static int distance(String from, String to) {
        int[][] steps = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : step(steps, from, i, to, j);
            }
        }
        return steps[from.length()][to.length()];
    }

    private static int step(int[][] steps, String from, int i, String to, int j) {
        boolean isSame = isSame(from.charAt(i - 1), to.charAt(j - 1));
        int least = Math.min(Math.min(steps[i - 1][j], steps[i][j - 1]) + 1, steps[i - 1][j - 1] + (isSame ? 0 : 1));
        boolean isSwap = i > 1
                && j > 1
                && isSame(from.charAt(i - 1), to.charAt(j - 2))
                && isSame(from.charAt(i - 2), to.charAt(j - 1));
        return isSwap ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }

    private static boolean isSame(char a, char b) {
        return Character.toLowerCase(a) == Character.toLowerCase(b);
    }
}
