// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jobgate.adl.ActivityFaults;
import org.jobgate.job.FaultException;
import org.jobgate.limits.Limit;

/**
 * Parses Globus's resource specification language: {@code &(name=value ...)...}, texts bare, in quotes of either kind (doubled inside) or
 * behind {@code ^} in quotes of one's own, {@code #} between texts to join them, {@code $(NAME)} and comments {@code (* *)}.
 */
final class RslParser {

    private static final Limit DEPTH = new Limit("xrsl.maxDepth", 32);
    private static final Limit PARTS = new Limit("xrsl.maxParts", 200_000);
    private static final String SPECIAL = "+&|()=<>!\"'^#$";

    private final String text;
    private final Limit textBytes;
    private int at;
    private long parts;

    private RslParser(String text, Limit textBytes) {
        this.text = text;
        this.textBytes = textBytes;
    }

    /**
     * Parses a whole text.
     *
     * @throws FaultException that says where it is wrong
     */
    static Rsl parse(String text, Limit textBytes) {
        RslParser parser = new RslParser(text, textBytes);
        parser.space();
        Rsl rsl = parser.specification(1);
        parser.space();
        if (parser.at < text.length()) {
            throw parser.wrong("the end was expected");
        }
        return rsl;
    }

    private Rsl specification(int depth) {
        count(depth);
        if (at >= text.length()) {
            throw wrong("a specification was expected, like &(executable=/bin/date)");
        }
        char operator = text.charAt(at);
        if (operator == '&' || operator == '|' || operator == '+') {
            at++;
            return new Rsl.Group(operator, bracketed(depth));
        }
        if (operator == '(') {
            return new Rsl.Group('&', bracketed(depth));
        }
        return relation(depth);
    }

    /** One or more specifications, each in parentheses. */
    private List<Rsl> bracketed(int depth) {
        List<Rsl> found = new ArrayList<>();
        space();
        while (at < text.length() && text.charAt(at) == '(') {
            at++;
            space();
            found.add(specification(depth + 1));
            expectEnd();
            space();
        }
        if (found.isEmpty()) {
            throw wrong("an opening parenthesis was expected");
        }
        return found;
    }

    private void expectEnd() {
        space();
        if (at >= text.length() || text.charAt(at) != ')') {
            throw wrong("a closing parenthesis was expected");
        }
        at++;
    }

    private Rsl relation(int depth) {
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "_-.".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        if (at == start) {
            throw wrong("the name of an attribute was expected");
        }
        String name = text.substring(start, at).replace("_", "").toLowerCase(Locale.ROOT);
        space();
        String operator = operator();
        return new Rsl.Relation(name, operator, values(depth));
    }

    private String operator() {
        for (String operator : List.of("!=", "<=", ">=", "=", "<", ">")) {
            if (text.startsWith(operator, at)) {
                at += operator.length();
                return operator;
            }
        }
        throw wrong("one of = != < > <= >= was expected");
    }

    /** All up to the closing parenthesis, which is left. */
    private List<Rsl.Value> values(int depth) {
        List<Rsl.Value> values = new ArrayList<>();
        space();
        while (at < text.length() && text.charAt(at) != ')') {
            values.add(value(depth));
            space();
        }
        return values;
    }

    private Rsl.Value value(int depth) {
        count(depth);
        if (text.charAt(at) == '(') {
            at++;
            List<Rsl.Value> inner = values(depth + 1);
            expectEnd();
            return new Rsl.Sequence(inner);
        }
        List<Rsl.Piece> pieces = new ArrayList<>();
        pieces.add(piece());
        while (joins()) {
            count(depth);
            pieces.add(piece());
        }
        return new Rsl.Text(pieces);
    }

    /** Whether the next piece belongs to the same text: behind a {@code #}, or right behind or before a variable. */
    private boolean joins() {
        int before = at;
        space();
        if (at < text.length() && text.charAt(at) == '#') {
            at++;
            space();
            return true;
        }
        at = before;
        return at < text.length()
                && (text.charAt(at) == '$' || (text.charAt(at - 1) == ')' && isPlain(text.charAt(at))));
    }

    private Rsl.Piece piece() {
        if (at >= text.length()) {
            throw wrong("a value was expected");
        }
        char first = text.charAt(at);
        if (first == '"' || first == '\'') {
            at++;
            return new Rsl.Piece(quoted(first), false);
        }
        if (first == '^' && at + 1 < text.length()) {
            char quote = text.charAt(at + 1);
            at += 2;
            return new Rsl.Piece(quoted(quote), false);
        }
        if (first == '$') {
            return variable();
        }
        int start = at;
        while (at < text.length() && isPlain(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw wrong("a value was expected");
        }
        return new Rsl.Piece(limited(text.substring(start, at)), false);
    }

    private Rsl.Piece variable() {
        at++;
        space();
        if (at >= text.length() || text.charAt(at) != '(') {
            throw wrong("an opening parenthesis was expected behind $");
        }
        at++;
        space();
        Rsl.Piece name = piece();
        if (name.isVariable()) {
            throw wrong("the name of a variable was expected");
        }
        expectEnd();
        return new Rsl.Piece(name.text(), true);
    }

    private static boolean isPlain(char character) {
        return SPECIAL.indexOf(character) < 0 && !Character.isWhitespace(character);
    }

    private String quoted(char quote) {
        int start = at;
        StringBuilder value = new StringBuilder();
        while (at < text.length()) {
            char character = text.charAt(at++);
            if (character != quote) {
                value.append(character);
            } else if (at < text.length() && text.charAt(at) == quote) {
                value.append(quote);
                at++;
            } else {
                return limited(value.toString());
            }
        }
        at = start;
        throw wrong("the quotation that begins here does not end");
    }

    private String limited(String value) {
        textBytes.check(value.length(), "Characters of one text of the job description");
        return value;
    }

    /** White space and comments. */
    private void space() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("(*", at)) {
                int end = text.indexOf("*)", at + 2);
                if (end < 0) {
                    throw wrong("the comment that begins here does not end");
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    private void count(int depth) {
        DEPTH.check(depth, "Depth of the job description");
        PARTS.check(++parts, "Parts of the job description");
    }

    private FaultException wrong(String why) {
        int line = 1;
        int start = 0;
        for (int i = 0; i < at; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                start = i + 1;
            }
        }
        String rest = ActivityFaults.shown(text.substring(at, Math.min(text.length(), at + 24)));
        return ActivityFaults.unreadable("The job description is no xRSL: line " + line + ", column " + (at - start + 1)
                + ": " + why + (rest.isEmpty() ? ", and the text ends." : ", and it goes on with '" + rest + "'."));
    }
}
