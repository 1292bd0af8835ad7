// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of a policy file: words, in double quotes where they hold blanks, then perhaps {@code #} and a comment. In quotes a backslash
 * takes the next character as it is. Everywhere {@code \xHH} is one byte of UTF-8, as OpenSSL and the Globus tools write names.
 */
record Words(List<String> values, String comment) {

    private static final int MAX_CHARACTERS = 8192;

    /**
     * Takes a line apart.
     *
     * @throws IllegalArgumentException that says what is wrong with it
     */
    static Words of(String line) {
        if (line.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException("it has more than " + MAX_CHARACTERS + " characters");
        }
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '#') {
                return new Words(words, line.substring(at + 1).strip());
            } else {
                StringBuilder word = new StringBuilder();
                at = c == '"' ? quoted(line, at + 1, word) : plain(line, at, word);
                words.add(word.toString());
            }
        }
        return new Words(words, "");
    }

    private static int plain(String line, int from, StringBuilder word) {
        int at = from;
        while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
            if (HexBytes.isOne(line, at)) {
                at = HexBytes.append(line, at, word);
            } else {
                word.append(line.charAt(at++));
            }
        }
        return at;
    }

    private static int quoted(String line, int from, StringBuilder word) {
        int at = from;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == '"') {
                if (at + 1 < line.length() && !Character.isWhitespace(line.charAt(at + 1))) {
                    throw new IllegalArgumentException("a blank must follow the closing quote");
                }
                return at + 1;
            }
            if (HexBytes.isOne(line, at)) {
                at = HexBytes.append(line, at, word);
                continue;
            }
            if (c == '\\' && at + 1 < line.length()) {
                c = line.charAt(++at);
            }
            word.append(c);
            at++;
        }
        throw new IllegalArgumentException("the quote is not closed");
    }
}
