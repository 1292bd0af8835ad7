// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The attributes of a JDL, or of another ClassAd, by name, each with its value as it is written: enough to add and change some. Whether
 * the values make sense is for the service to say.
 */
public final class JdlText {

    private static final int DEPTH_MAX = 32;

    private final Map<String, String> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> names = new LinkedHashMap<>();
    private final String text;
    private int at;

    private JdlText(String text) {
        this.text = text;
    }

    public static JdlText parse(String text) throws CreamException {
        JdlText jdl = new JdlText(withoutComments(text));
        jdl.read();
        return jdl;
    }

    /** By name, whatever its capitals. */
    public Map<String, String> attributes() {
        return attributes;
    }

    public void put(String name, String value) {
        if (attributes.put(name, value) == null) {
            names.put(name, name);
        }
    }

    private void read() throws CreamException {
        space();
        boolean inBrackets = is('[');
        at += inBrackets ? 1 : 0;
        while (true) {
            space();
            if (at >= text.length() || is(']')) {
                break;
            }
            int begin = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
                at++;
            }
            String name = text.substring(begin, at);
            space();
            if (name.isEmpty() || !is('=')) {
                throw wrong("Name = value; is expected");
            }
            at++;
            put(name, value());
            if (is(';')) {
                at++;
            }
        }
        if (inBrackets != is(']')) {
            throw wrong("the brackets [ and ] do not match");
        }
        at += inBrackets ? 1 : 0;
        space();
        if (at < text.length()) {
            throw wrong("something follows the closing bracket");
        }
    }

    /** Up to the semicolon or the closing bracket that is in no string and no bracket. */
    private String value() throws CreamException {
        int begin = at;
        int depth = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at = stringEnd(text, at);
            } else if ("[{(".indexOf(c) >= 0) {
                depth++;
            } else if (depth == 0 && (c == ';' || c == ']')) {
                break;
            } else if ("]})".indexOf(c) >= 0) {
                depth--;
            }
            if (depth < 0 || depth > DEPTH_MAX || at >= text.length()) {
                throw wrong("a bracket or a string is not closed");
            }
        }
        String value = text.substring(begin, at).strip();
        if (value.isEmpty() || depth != 0) {
            throw wrong(depth == 0 ? "a value is missing" : "a bracket is not closed");
        }
        return value;
    }

    private boolean is(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private CreamException wrong(String what) {
        int from = Math.min(at, text.length());
        String near = text.substring(from, Math.min(text.length(), from + 40)).replaceAll("\\s+", " ");
        return new CreamException("The JDL cannot be read: " + what + " near [" + near + "]. Stop.");
    }

    /** The place of the closing quotation mark; the end of the text where there is none. */
    private static int stringEnd(String text, int from) {
        int i = from + 1;
        while (i < text.length() && text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(i, text.length());
    }

    private static String withoutComments(String text) throws CreamException {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '"') {
                int end = stringEnd(text, i);
                out.append(text, i, Math.min(text.length(), end + 1));
                i = end;
            } else if (text.charAt(i) == '#' || text.startsWith("//", i)) {
                int line = text.indexOf('\n', i);
                i = line < 0 ? text.length() : line;
                out.append(' ');
            } else if (text.startsWith("/*", i)) {
                int end = text.indexOf("*/", i + 2);
                if (end < 0) {
                    throw new CreamException("The JDL cannot be read: a comment is not closed. Stop.");
                }
                i = end + 1;
                out.append(' ');
            } else {
                out.append(text.charAt(i));
            }
        }
        return out.toString();
    }

    /** The strings of a list, or the one string; empty where it is something else. */
    public static List<String> texts(String raw) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) == '"') {
                int end = stringEnd(raw, i);
                texts.add(unescaped(raw.substring(i + 1, end)));
                i = end;
            }
        }
        return texts;
    }

    private static String unescaped(String inside) {
        return inside.replaceAll("\\\\([\"'\\\\])", "$1");
    }

    public static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** With its brackets. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("[ ");
        for (String name : names.values()) {
            out.append(name).append(" = ").append(attributes.get(name)).append("; ");
        }
        return out.append(']').toString().replaceAll("[\\r\\n]+", " ");
    }
}
