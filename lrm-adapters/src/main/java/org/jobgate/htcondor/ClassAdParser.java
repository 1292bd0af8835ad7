// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.htcondor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads ClassAds as text: the long form ({@code Name = value} on a line each, as {@code condor_q -long} and the event log have it) and
 * the new form ({@code [ Name = value; ... ]}).
 *
 * <p>Limits: {@link #MAX_LENGTH} characters, {@link #MAX_DEPTH} ads or lists inside one another.
 */
public final class ClassAdParser {

    /** Characters of one ad. */
    public static final int MAX_LENGTH = 4 * 1024 * 1024;

    /** Ads and lists inside one another. */
    public static final int MAX_DEPTH = 32;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*|'[^'\\\\\n]+'");
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,19}");
    private static final Pattern REAL = Pattern.compile("[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]{1,4})?");

    private final String text;
    private int at;

    private ClassAdParser(String text) {
        this.text = text;
    }

    /**
     * The ad of lines {@code Name = value}; blank lines are skipped.
     *
     * @throws ClassAdException if a line is not an attribute or a limit is passed
     */
    public static ClassAd parseLong(String text) throws ClassAdException {
        checkLength(text);
        Map<String, ClassAdValue> attributes = new LinkedHashMap<>();
        for (String line : text.split("\n", -1)) {
            if (!line.isBlank()) {
                new ClassAdParser(line.strip()).attribute(attributes, 0, "");
            }
        }
        return new ClassAd(attributes);
    }

    /**
     * The ad {@code [ Name = value; ... ]}.
     *
     * @throws ClassAdException if it is not one or a limit is passed
     */
    public static ClassAd parse(String text) throws ClassAdException {
        checkLength(text);
        ClassAdParser parser = new ClassAdParser(text.strip());
        ClassAd ad = parser.ad(0);
        parser.end();
        return ad;
    }

    /**
     * One value.
     *
     * @throws ClassAdException if there is none, something follows it, or a limit is passed
     */
    public static ClassAdValue parseValue(String text) throws ClassAdException {
        checkLength(text);
        ClassAdParser parser = new ClassAdParser(text.strip());
        ClassAdValue value = parser.value(0, "");
        parser.end();
        return value;
    }

    private static void checkLength(String text) throws ClassAdException {
        if (text.length() > MAX_LENGTH) {
            throw new ClassAdException(
                    "a ClassAd of " + text.length() + " characters is over the limit of " + MAX_LENGTH);
        }
    }

    private void attribute(Map<String, ClassAdValue> attributes, int depth, String ends) throws ClassAdException {
        Matcher name = NAME.matcher(text).region(at, text.length());
        if (!name.lookingAt()) {
            throw wrong("the name of an attribute");
        }
        at = name.end();
        space();
        expect('=');
        space();
        attributes.put(name.group(), value(depth, ends));
        space();
        if (ends.isEmpty()) {
            end();
        }
    }

    private ClassAd ad(int depth) throws ClassAdException {
        deeper(depth);
        expect('[');
        Map<String, ClassAdValue> attributes = new LinkedHashMap<>();
        space();
        while (!is(']')) {
            attribute(attributes, depth + 1, ";]");
            space();
            if (!is(']')) {
                expect(';');
                space();
            }
        }
        at++;
        return new ClassAd(attributes);
    }

    private ClassAdValue.Sequence sequence(int depth) throws ClassAdException {
        deeper(depth);
        expect('{');
        List<ClassAdValue> values = new ArrayList<>();
        space();
        while (!is('}')) {
            values.add(value(depth + 1, ",}"));
            space();
            if (!is('}')) {
                expect(',');
                space();
            }
        }
        at++;
        return new ClassAdValue.Sequence(values);
    }

    /** A value up to one of the characters; where more follows than a literal, all of it is an expression. */
    private ClassAdValue value(int depth, String ends) throws ClassAdException {
        int from = at;
        int end = expressionEnd(ends);
        String whole = text.substring(from, end).strip();
        ClassAdValue value = is('"') || is('[') || is('{') ? bracketed(depth, from, end) : literal(whole);
        at = end;
        if (whole.isEmpty()) {
            throw wrong("a value");
        }
        return value == null ? expression(whole) : value;
    }

    private static ClassAdValue expression(String whole) throws ClassAdException {
        if (whole.indexOf('\n') >= 0) {
            throw new ClassAdException("an expression goes over the end of its line: " + abbreviate(whole));
        }
        return new ClassAdValue.Expression(whole);
    }

    private @Nullable ClassAdValue bracketed(int depth, int from, int end) throws ClassAdException {
        ClassAdValue value = is('"') ? string() : is('[') ? new ClassAdValue.Nested(ad(depth)) : sequence(depth);
        boolean isAll = text.substring(at, Math.max(at, end)).isBlank() && at <= end && from < at;
        return isAll ? value : null;
    }

    private static @Nullable ClassAdValue literal(String whole) {
        if (WHOLE.matcher(whole).matches()) {
            try {
                return new ClassAdValue.Whole(Long.parseLong(whole));
            } catch (NumberFormatException tooLarge) {
                return new ClassAdValue.Expression(whole);
            }
        }
        if (REAL.matcher(whole).matches() && Double.isFinite(Double.parseDouble(whole))) {
            return new ClassAdValue.Real(Double.parseDouble(whole));
        }
        return switch (whole.toLowerCase(Locale.ROOT)) {
            case "true" -> new ClassAdValue.Truth(true);
            case "false" -> new ClassAdValue.Truth(false);
            case "undefined" -> new ClassAdValue.Undefined();
            default -> null;
        };
    }

    /** Where the value that begins here ends: before one of the characters that is in no string and no bracket. */
    private int expressionEnd(String ends) throws ClassAdException {
        int depth = 0;
        for (int i = at; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (depth == 0 && ends.indexOf(letter) >= 0) {
                return i;
            }
            if (letter == '"') {
                i = stringEnd(i);
            } else if ("[{(".indexOf(letter) >= 0) {
                depth++;
            } else if ("]})".indexOf(letter) >= 0) {
                depth--;
            }
        }
        return text.length();
    }

    private int stringEnd(int from) throws ClassAdException {
        for (int i = from + 1; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == '"') {
                return i;
            }
        }
        throw new ClassAdException("a string that begins at " + from + " does not end: " + abbreviate(text));
    }

    private ClassAdValue.Text string() throws ClassAdException {
        int end = stringEnd(at);
        StringBuilder value = new StringBuilder(end - at);
        for (int i = at + 1; i < end; i++) {
            char letter = text.charAt(i);
            if (letter == '\\') {
                i++;
                unescape(text.charAt(i), value);
            } else {
                value.append(letter);
            }
        }
        at = end + 1;
        return new ClassAdValue.Text(value.toString());
    }

    private static void unescape(char letter, StringBuilder value) {
        switch (letter) {
            case 'n' -> value.append('\n');
            case 'r' -> value.append('\r');
            case 't' -> value.append('\t');
            case '"', '\\', '\'' -> value.append(letter);
            default -> value.append('\\').append(letter);
        }
    }

    private static void deeper(int depth) throws ClassAdException {
        if (depth >= MAX_DEPTH) {
            throw new ClassAdException("ads or lists are nested deeper than " + MAX_DEPTH);
        }
    }

    private boolean is(char letter) throws ClassAdException {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at) == letter;
    }

    private void expect(char letter) throws ClassAdException {
        if (at >= text.length() || text.charAt(at) != letter) {
            throw wrong("'" + letter + "'");
        }
        at++;
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private void end() throws ClassAdException {
        space();
        if (at < text.length()) {
            throw wrong("the end");
        }
    }

    private ClassAdException wrong(String expected) {
        return new ClassAdException(
                "not a ClassAd: " + expected + " is expected at " + at + " of: " + abbreviate(text));
    }

    private static String abbreviate(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }
}
