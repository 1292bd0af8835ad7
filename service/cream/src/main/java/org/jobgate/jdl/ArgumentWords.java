// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.ArrayList;
import java.util.List;

/**
 * The words of {@code Arguments} and its like. CREAM wrote the text into a script of the shell; no shell reads it here, but its quoting is
 * kept: blanks separate words, {@code '...'} and {@code "..."} hold one together, a backslash makes the next letter an ordinary one.
 * {@code $}, backquotes and wildcards stand for themselves.
 */
final class ArgumentWords {

    private ArgumentWords() {}

    static List<String> split(String attribute, String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isWord = false;
        int i = 0;
        while (i < text.length()) {
            char letter = text.charAt(i);
            if (letter == '\'' || letter == '"') {
                i = quoted(attribute, text, i, word);
                isWord = true;
            } else if (letter == '\\' && i + 1 < text.length()) {
                word.append(text.charAt(i + 1));
                isWord = true;
                i += 2;
            } else if (Character.isWhitespace(letter)) {
                if (isWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    isWord = false;
                }
                i++;
            } else {
                word.append(letter);
                isWord = true;
                i++;
            }
        }
        if (isWord) {
            words.add(word.toString());
        }
        return words;
    }

    /** Takes what stands in the quotation marks that begin there; answers the place behind them. */
    private static int quoted(String attribute, String text, int from, StringBuilder word) {
        char mark = text.charAt(from);
        int i = from + 1;
        while (i < text.length() && text.charAt(i) != mark) {
            boolean isEscape = mark == '"'
                    && text.charAt(i) == '\\'
                    && i + 1 < text.length()
                    && "\"\\$`".indexOf(text.charAt(i + 1)) >= 0;
            word.append(text.charAt(isEscape ? i + 1 : i));
            i += isEscape ? 2 : 1;
        }
        if (i >= text.length()) {
            throw JdlFaults.invalid(attribute, text, attribute + ": the quotation mark " + mark + " is not closed");
        }
        return i + 1;
    }
}
