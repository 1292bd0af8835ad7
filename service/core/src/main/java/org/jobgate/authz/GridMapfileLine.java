// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One entry of a grid-mapfile: {@code "subject" account[,account...]}, the default account first. The subject is a distinguished name in slash
 * form or, of a bearer token, its issuer and subject joined by a comma.
 *
 * <p>The subject is quoted where it holds blanks. In quotes a backslash takes the next character as it is, and {@code \xHH} is one
 * byte of UTF-8, as the Globus tools write it.
 *
 * @param subject in the form of {@link SubjectForm#canonical}
 */
record GridMapfileLine(String subject, List<String> accounts) {

    /** What a local account may be called; a leading dot (a pool of accounts) and a leading dash (an option) are not names. */
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]{0,255}");

    private static final int MAX_SUBJECT = 1024;

    /**
     * Reads one line.
     *
     * @return empty for a blank line or a comment
     * @throws IllegalArgumentException that says what is wrong with it
     */
    static Optional<GridMapfileLine> parse(String line) {
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return Optional.empty();
        }
        int end = text.startsWith("\"") ? endOfQuoted(text) : endOfWord(text);
        String subject =
                text.startsWith("\"") ? unescape(text.substring(1, end - 1)) : unescape(text.substring(0, end));
        return Optional.of(new GridMapfileLine(checkSubject(subject), accounts(text.substring(end))));
    }

    private static int endOfQuoted(String text) {
        for (int i = 1; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == '"') {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("the quote is not closed");
    }

    private static int endOfWord(String text) {
        int end = 0;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static String unescape(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            if (HexBytes.isOne(text, at)) {
                at = HexBytes.append(text, at, plain);
                continue;
            }
            if (text.charAt(at) == '\\') {
                at++;
            }
            if (at < text.length()) {
                plain.append(text.charAt(at++));
            }
        }
        return plain.toString();
    }

    private static String checkSubject(String subject) {
        boolean isName = subject.startsWith("/") && subject.indexOf('=') > 0;
        boolean isOfToken = subject.startsWith("https://") && subject.indexOf(',') > 0;
        if (!isName && !isOfToken) {
            throw new IllegalArgumentException(
                    "the subject is neither of the form /NAME=value/... nor, for a token, https://ISSUER,SUBJECT");
        }
        if (subject.length() > MAX_SUBJECT) {
            throw new IllegalArgumentException("the subject has more than " + MAX_SUBJECT + " characters");
        }
        return SubjectForm.canonical(subject);
    }

    private static List<String> accounts(String rest) {
        if (rest.isEmpty() || !Character.isWhitespace(rest.charAt(0))) {
            throw new IllegalArgumentException("a blank and an account must follow the subject");
        }
        int comment = rest.indexOf('#');
        String text = (comment < 0 ? rest : rest.substring(0, comment)).strip();
        List<String> accounts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String account = part.strip();
            if (!ACCOUNT.matcher(account).matches()) {
                throw new IllegalArgumentException("\"" + account + "\" is not the name of a local account");
            }
            accounts.add(account);
        }
        return accounts;
    }
}
