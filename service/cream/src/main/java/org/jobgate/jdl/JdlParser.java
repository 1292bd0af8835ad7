// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.job.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Reads JDL as text: {@code [ Name = value; ... ]}, the brackets may be left out. Comments are {@code #} and {@code //} to the end of
 * the line, and those between slash and asterisk.
 *
 * <p>Limits: {@link #MAX_DEPTH} records, lists and brackets inside one another, {@link #MAX_ATTRIBUTES} attributes of one record,
 * {@link #MAX_VALUES} values in the whole text. The caller bounds the length of the text.
 */
final class JdlParser {

    static final int MAX_DEPTH = 32;
    static final int MAX_ATTRIBUTES = 1_000;
    static final int MAX_VALUES = 100_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,19}");
    private static final Pattern REAL =
            Pattern.compile("[-+]?(?:[0-9]{1,40}\\.?[0-9]{0,40}|\\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,4})?");

    private final String text;
    private int at;
    private int values;

    private JdlParser(String text) {
        this.text = text;
    }

    /**
     * The record that the text says.
     *
     * @throws FaultException saying what is wrong in which line
     */
    static JdlRecord parse(String text) {
        JdlParser parser = new JdlParser(text);
        parser.space();
        JdlRecord read = parser.is('[') ? parser.inBrackets(0) : parser.attributes(0, '\0');
        parser.space();
        if (parser.at < text.length()) {
            throw parser.wrong("something follows the end of the description");
        }
        return read;
    }

    private JdlRecord inBrackets(int depth) {
        at++;
        JdlRecord read = attributes(depth, ']');
        at++;
        return read;
    }

    /** Attributes up to the closing bracket, which is not taken, or to the end of the text. */
    private JdlRecord attributes(int depth, char end) {
        deeper(depth);
        Map<String, JdlValue> read = new LinkedHashMap<>();
        TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        space();
        while (!isEnd(end)) {
            String name = name();
            if (!names.add(name)) {
                throw wrong("the attribute " + name + " is given twice");
            }
            if (names.size() > MAX_ATTRIBUTES) {
                throw wrong("a record has more than " + MAX_ATTRIBUTES + " attributes");
            }
            space();
            if (!is('=')) {
                throw wrong("'=' is expected after the attribute " + name);
            }
            at++;
            read.put(name, value(depth, name));
            space();
            if (is(';')) {
                at++;
                space();
            } else if (!isEnd(end)) {
                throw wrong("';' is expected after the value of the attribute " + name);
            }
        }
        return new JdlRecord(read);
    }

    private boolean isEnd(char end) {
        if (at >= text.length()) {
            if (end == '\0') {
                return true;
            }
            throw wrong("the closing ']' is missing");
        }
        return end != '\0' && text.charAt(at) == end;
    }

    private String name() {
        Matcher name = NAME.matcher(text).region(at, text.length());
        if (!name.lookingAt()) {
            throw wrong("the name of an attribute is expected");
        }
        at = name.end();
        return name.group();
    }

    private JdlValue value(int depth, String name) {
        space();
        if (++values > MAX_VALUES) {
            throw wrong("there are more than " + MAX_VALUES + " values");
        }
        int from = at;
        JdlValue whole = bracketed(depth, name);
        if (whole != null) {
            space();
            if (at >= text.length() || ";,]}".indexOf(text.charAt(at)) >= 0) {
                return whole;
            }
        }
        at = from;
        String expression = expression(depth);
        if (expression.isEmpty()) {
            throw wrong("the attribute " + name + " has no value");
        }
        return literal(expression);
    }

    private @Nullable JdlValue bracketed(int depth, String name) {
        if (is('"')) {
            return new JdlValue.Text(string());
        }
        if (is('{')) {
            return sequence(depth + 1, name);
        }
        return is('[') ? new JdlValue.Nested(inBrackets(depth + 1)) : null;
    }

    private JdlValue sequence(int depth, String name) {
        deeper(depth);
        at++;
        List<JdlValue> all = new ArrayList<>();
        space();
        while (!is('}')) {
            all.add(value(depth, name));
            space();
            if (is(',')) {
                at++;
                space();
            } else if (!is('}')) {
                throw wrong("',' or '}' is expected in the list of the attribute " + name);
            }
        }
        at++;
        return new JdlValue.Sequence(all);
    }

    /** The text up to the end of the value, which is not taken; comments and runs of space are one blank. */
    private String expression(int depth) {
        StringBuilder read = new StringBuilder();
        int open = depth;
        while (at < text.length()) {
            int before = at;
            space();
            if (at > before) {
                read.append(' ');
                continue;
            }
            char letter = text.charAt(at);
            if (letter == '"') {
                int start = at;
                string();
                read.append(text, start, at);
                continue;
            }
            if (open == depth && ";,]}".indexOf(letter) >= 0) {
                break;
            }
            if ("[{(".indexOf(letter) >= 0) {
                deeper(++open);
            } else if ("]})".indexOf(letter) >= 0 && --open < depth) {
                throw wrong("a closing '" + letter + "' has no opening one");
            }
            read.append(letter);
            at++;
        }
        return read.toString().strip();
    }

    private static JdlValue literal(String whole) {
        if (WHOLE.matcher(whole).matches()) {
            try {
                return new JdlValue.Whole(Long.parseLong(whole));
            } catch (NumberFormatException tooLarge) {
                return new JdlValue.Expression(whole);
            }
        }
        if (REAL.matcher(whole).matches() && Double.isFinite(Double.parseDouble(whole))) {
            return new JdlValue.Real(Double.parseDouble(whole));
        }
        return switch (whole.toLowerCase(Locale.ROOT)) {
            case "true" -> new JdlValue.Truth(true);
            case "false" -> new JdlValue.Truth(false);
            default -> new JdlValue.Expression(whole);
        };
    }

    private String string() {
        int start = at;
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length()) {
            char letter = text.charAt(at++);
            if (letter == '"') {
                return value.toString();
            }
            if (letter == '\\' && at < text.length()) {
                unescape(text.charAt(at++), value);
            } else {
                value.append(letter);
            }
        }
        at = start;
        throw wrong("a string does not end");
    }

    /** Escapes of ClassAds; before another letter the backslash stands for itself. */
    private static void unescape(char letter, StringBuilder value) {
        switch (letter) {
            case 'n' -> value.append('\n');
            case 'r' -> value.append('\r');
            case 't' -> value.append('\t');
            case '"', '\\', '\'' -> value.append(letter);
            default -> value.append('\\').append(letter);
        }
    }

    private void deeper(int depth) {
        if (depth >= MAX_DEPTH) {
            throw wrong("records and lists are nested deeper than " + MAX_DEPTH);
        }
    }

    private boolean is(char letter) {
        return at < text.length() && text.charAt(at) == letter;
    }

    /** Passes space and comments. */
    private void space() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (is('#') || text.startsWith("//", at)) {
                int line = text.indexOf('\n', at);
                at = line < 0 ? text.length() : line;
            } else if (text.startsWith("/*", at)) {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw wrong("a comment does not end");
                }
                at = end + 2;
            } else {
                return;
            }
        }
    }

    private FaultException wrong(String what) {
        int place = Math.min(at, text.length());
        long line = 1
                + text.substring(0, place)
                        .chars()
                        .filter(letter -> letter == '\n')
                        .count();
        String near = text.substring(place, Math.min(text.length(), place + 40));
        return JdlFaults.invalid(
                "Unable to parse: " + what + " (line " + line + ", near '" + JdlFaults.shown(near) + "')");
    }
}
