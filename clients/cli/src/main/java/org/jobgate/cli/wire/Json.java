// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of JSON (RFC 8259), for the commands that must start at once: a library would cost more time to load than they take altogether.
 * Reading is bounded by the answer that it is read from, and by its depth.
 */
public final class Json {
    private static final int DEPTH_MAX = 64;
    private static final Json MISSING = new Json(null);

    /** A map of members, a list of items, a text (of strings, numbers and truths), or nothing. */
    private final @Nullable Object value;

    private Json(@Nullable Object value) {
        this.value = value;
    }

    /**
     * Reads one value.
     *
     * @throws IOException it is none; the message is for a person
     */
    public static Json read(byte[] content) throws IOException {
        Reader reader = new Reader(new String(content, StandardCharsets.UTF_8));
        Json value = reader.value(0);
        reader.end();
        return value;
    }

    /** A string as JSON has it, with its quotes. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8).append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"' || letter == '\\') {
                out.append('\\').append(letter);
            } else if (letter < ' ' || Character.isSurrogate(letter)) {
                out.append("\\u").append(hex(letter));
            } else {
                out.append(letter);
            }
        }
        return out.append('"').toString();
    }

    /** Strings as a JSON array. */
    public static String list(List<String> texts) {
        return "[" + String.join(",", texts.stream().map(Json::quote).toList()) + "]";
    }

    private static String hex(char letter) {
        String digits = Integer.toHexString(letter);
        return "0".repeat(4 - digits.length()) + digits;
    }

    /** The member of this name; a value that is missing where there is none. */
    public Json get(String name) {
        return value instanceof Map<?, ?> ? members().getOrDefault(name, MISSING) : MISSING;
    }

    /** Whether it is not there, or null. */
    public boolean isMissing() {
        return value == null;
    }

    /** A string, number or truth as text; empty for everything else. */
    public String text() {
        return value instanceof String text ? text : "";
    }

    /** Whether it is true. */
    public boolean isTrue() {
        return text().equals("true");
    }

    /** A whole number; the other one where it is none. */
    public long number(long otherwise) {
        String text = text();
        return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : otherwise;
    }

    /** The items of an array, in order; none for everything else. */
    @SuppressWarnings("unchecked") // only the reader makes lists
    public List<Json> items() {
        return value instanceof List<?> items ? (List<Json>) items : List.of();
    }

    /** The members of an object, in order; none for everything else. */
    @SuppressWarnings("unchecked") // only the reader makes maps
    public Map<String, Json> members() {
        return value instanceof Map<?, ?> members ? (Map<String, Json>) members : Map.of();
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = requireNonNull(text, "text is null");
        }

        Json value(int depth) throws IOException {
            if (depth > DEPTH_MAX) {
                throw wrong("it is nested too deep");
            }
            blanks();
            return switch (letter()) {
                case '{' -> object(depth);
                case '[' -> array(depth);
                case '"' -> new Json(string());
                default -> word();
            };
        }

        void end() throws IOException {
            blanks();
            if (at < text.length()) {
                throw wrong("more follows");
            }
        }

        private Json object(int depth) throws IOException {
            Map<String, Json> members = new LinkedHashMap<>();
            at++;
            blanks();
            if (letter() == '}') {
                at++;
                return new Json(members);
            }
            while (true) {
                blanks();
                if (letter() != '"') {
                    throw wrong("a name is missing");
                }
                String name = string();
                blanks();
                take(':');
                members.put(name, value(depth + 1));
                blanks();
                if (letter() == '}') {
                    at++;
                    return new Json(members);
                }
                take(',');
            }
        }

        private Json array(int depth) throws IOException {
            List<Json> items = new ArrayList<>();
            at++;
            blanks();
            if (letter() == ']') {
                at++;
                return new Json(items);
            }
            while (true) {
                items.add(value(depth + 1));
                blanks();
                if (letter() == ']') {
                    at++;
                    return new Json(items);
                }
                take(',');
            }
        }

        private String string() throws IOException {
            StringBuilder out = new StringBuilder();
            at++;
            while (letter() != '"') {
                char letter = text.charAt(at++);
                out.append(letter == '\\' ? escaped() : letter);
            }
            at++;
            return out.toString();
        }

        private char escaped() throws IOException {
            char letter = letter();
            at++;
            return switch (letter) {
                case 'n' -> '\n';
                case 't' -> '\t';
                case 'r' -> '\r';
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'u' -> unicode();
                case '"', '\\', '/' -> letter;
                default -> throw wrong("an escape is not known");
            };
        }

        private char unicode() throws IOException {
            if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9A-Fa-f]{4}")) {
                throw wrong("an escape is not whole");
            }
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }

        private Json word() throws IOException {
            int begin = at;
            while (at < text.length()
                    && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) {
                at++;
            }
            String word = text.substring(begin, at);
            if (!word.matches("true|false|null|-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]+)?")) {
                throw wrong("a value is missing");
            }
            return word.equals("null") ? MISSING : new Json(word);
        }

        private void take(char wanted) throws IOException {
            if (letter() != wanted) {
                throw wrong("a " + wanted + " is missing");
            }
            at++;
        }

        private char letter() throws IOException {
            if (at >= text.length()) {
                throw wrong("it is not whole");
            }
            return text.charAt(at);
        }

        private void blanks() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private IOException wrong(String why) {
            return new IOException("What the server sent is not JSON: at character " + at + " " + why + ".");
        }
    }
}
