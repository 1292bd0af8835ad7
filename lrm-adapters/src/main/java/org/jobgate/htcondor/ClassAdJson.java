// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the JSON that {@code condor_q -json} and {@code condor_history -json} print: a list of ads, or nothing at all for none. */
public final class ClassAdJson {

    /** Characters of one answer. */
    public static final int MAX_LENGTH = 64 * 1024 * 1024;

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,19}(\\.[0-9]+)?([eE][-+]?[0-9]{1,4})?");
    private static final Pattern WORD = Pattern.compile("true|false|null");
    private static final String EXPRESSION = "/Expr(";

    private final String text;
    private int at;

    private ClassAdJson(String text) {
        this.text = text;
    }

    /**
     * The ads.
     *
     * @throws ClassAdException if the text is neither empty nor a list of objects, or a limit is passed
     */
    public static List<ClassAd> parse(String text) throws ClassAdException {
        if (text.length() > MAX_LENGTH) {
            throw new ClassAdException(
                    "an answer of " + text.length() + " characters is over the limit of " + MAX_LENGTH);
        }
        if (text.isBlank()) {
            return List.of();
        }
        ClassAdJson json = new ClassAdJson(text);
        ClassAdValue value = json.value(0);
        json.space();
        if (json.at < text.length() || !(value instanceof ClassAdValue.Sequence sequence)) {
            throw json.wrong("one list");
        }
        List<ClassAd> ads = new ArrayList<>();
        for (ClassAdValue entry : sequence.values()) {
            if (!(entry instanceof ClassAdValue.Nested nested)) {
                throw json.wrong("a list of objects");
            }
            ads.add(nested.ad());
        }
        return ads;
    }

    private ClassAdValue value(int depth) throws ClassAdException {
        if (depth > ClassAdParser.MAX_DEPTH) {
            throw wrong("less depth");
        }
        space();
        char first = peek();
        return switch (first) {
            case '{' -> object(depth);
            case '[' -> list(depth);
            case '"' -> text(string());
            default -> word();
        };
    }

    /** An expression that is no literal is printed as a string of this form. */
    private static ClassAdValue text(String string) {
        boolean isExpression = string.startsWith(EXPRESSION) && string.endsWith(")/");
        String inside = isExpression ? string.substring(EXPRESSION.length(), string.length() - 2) : "";
        return inside.isBlank() || inside.indexOf('\n') >= 0
                ? new ClassAdValue.Text(string)
                : new ClassAdValue.Expression(inside.strip());
    }

    private ClassAdValue.Nested object(int depth) throws ClassAdException {
        at++;
        Map<String, ClassAdValue> attributes = new LinkedHashMap<>();
        space();
        while (peek() != '}') {
            String name = string();
            space();
            expect(':');
            attributes.put(name, value(depth + 1));
            comma('}');
        }
        at++;
        return new ClassAdValue.Nested(new ClassAd(attributes));
    }

    private ClassAdValue.Sequence list(int depth) throws ClassAdException {
        at++;
        List<ClassAdValue> values = new ArrayList<>();
        space();
        while (peek() != ']') {
            values.add(value(depth + 1));
            comma(']');
        }
        at++;
        return new ClassAdValue.Sequence(values);
    }

    private void comma(char end) throws ClassAdException {
        space();
        if (peek() != end) {
            expect(',');
            space();
            if (peek() == end) {
                throw wrong("a value");
            }
        }
    }

    private ClassAdValue word() throws ClassAdException {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (number.lookingAt()) {
            at = number.end();
            return number(number);
        }
        Matcher word = WORD.matcher(text).region(at, text.length());
        if (!word.lookingAt()) {
            throw wrong("a value");
        }
        at = word.end();
        return word.group().equals("null")
                ? new ClassAdValue.Undefined()
                : new ClassAdValue.Truth(word.group().equals("true"));
    }

    private ClassAdValue number(Matcher number) throws ClassAdException {
        try {
            return number.group(1) == null && number.group(2) == null
                    ? new ClassAdValue.Whole(Long.parseLong(number.group()))
                    : new ClassAdValue.Real(Double.parseDouble(number.group()));
        } catch (IllegalArgumentException tooLarge) {
            throw wrong("a number of 64 bits");
        }
    }

    private String string() throws ClassAdException {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (peek() != '"') {
            char letter = text.charAt(at++);
            if (letter == '\\') {
                unescape(value);
            } else {
                value.append(letter);
            }
        }
        at++;
        return value.toString();
    }

    private void unescape(StringBuilder value) throws ClassAdException {
        char letter = peek();
        at++;
        switch (letter) {
            case 'n' -> value.append('\n');
            case 'r' -> value.append('\r');
            case 't' -> value.append('\t');
            case 'b' -> value.append('\b');
            case 'f' -> value.append('\f');
            case '"', '\\', '/' -> value.append(letter);
            case 'u' -> value.append((char) hex());
            default -> throw wrong("an escape");
        }
    }

    private int hex() throws ClassAdException {
        if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
            throw wrong("four hex digits");
        }
        at += 4;
        return Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private char peek() throws ClassAdException {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private void expect(char letter) throws ClassAdException {
        if (peek() != letter) {
            throw wrong("'" + letter + "'");
        }
        at++;
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private ClassAdException wrong(String expected) {
        String near = text.substring(Math.min(at, text.length()), Math.min(text.length(), at + 40));
        return new ClassAdException(
                "not the JSON of HTCondor: " + expected + " is expected at " + at + ", before: " + near);
    }
}
