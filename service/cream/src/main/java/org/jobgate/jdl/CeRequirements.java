// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code CERequirements}: what the job asks of the batch system, as an expression over GLUE's attributes, e.g. {@code
 * other.GlueCEPolicyMaxWallClockTime > 720 && other.GlueHostArchitecturePlatformType == "x86_64"}.
 *
 * @param text the whole expression; empty for none
 * @param parts the comparisons of which all are to hold; empty where the expression is anything else
 */
public record CeRequirements(String text, List<Comparison> parts) {

    static final CeRequirements NONE = new CeRequirements("", List.of());

    private static final int MAX_PARTS = 64;

    /** Brackets around one part. */
    private static final int MAX_DEPTH = 32;

    private static final Pattern COMPARISON = Pattern.compile(
            "\\s*(?:(?i:other)\\s*\\.\\s*)?([A-Za-z_][A-Za-z0-9_]{0,127})\\s*(==|=\\?=|>=|<=|>|<)\\s*(\"(?:[^\"\\\\]|\\\\.){0,256}+\"|-?[0-9]{1,18}(?:\\.[0-9]{1,18})?|(?i:true|false))\\s*");

    /**
     * One comparison.
     *
     * @param attribute without {@code other.}
     * @param operator {@code ==}, {@code >=}, {@code <=}, {@code >} or {@code <}
     * @param value a number, a truth value, or a text without its quotation marks
     */
    public record Comparison(String attribute, String operator, String value) {

        /** The variable that CREAM hands to a site's script for it: a lower bound ends with {@code _Min}, an upper one with {@code _Max}. */
        public String variable() {
            return switch (operator.charAt(0)) {
                case '>' -> attribute + "_Min";
                case '<' -> attribute + "_Max";
                default -> attribute;
            };
        }
    }

    public CeRequirements {
        parts = List.copyOf(parts);
    }

    static CeRequirements parse(String text) {
        Deque<String> left = new ArrayDeque<>(List.of(text));
        List<Comparison> parts = new ArrayList<>();
        while (!left.isEmpty()) {
            String part = withoutOuterBrackets(left.pop().strip());
            Matcher comparison = COMPARISON.matcher(part);
            if (comparison.matches()) {
                parts.add(new Comparison(
                        comparison.group(1), comparison.group(2).replace("=?=", "=="), plain(comparison.group(3))));
                continue;
            }
            List<String> inner = conjunction(part);
            if (inner.size() == 1 || parts.size() + left.size() + inner.size() > MAX_PARTS) {
                return new CeRequirements(text.strip(), List.of());
            }
            inner.reversed().forEach(left::push);
        }
        return new CeRequirements(text.strip(), parts);
    }

    private static String plain(String value) {
        return value.startsWith("\"") ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1") : value;
    }

    /** The parts between {@code &&} that are in no brackets and no string. */
    private static List<String> conjunction(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"') {
                i = stringEnd(text, i);
            } else if (letter == '(') {
                depth++;
            } else if (letter == ')') {
                depth--;
            } else if (depth == 0 && text.startsWith("&&", i)) {
                parts.add(text.substring(from, i));
                from = ++i + 1;
            }
        }
        parts.add(text.substring(Math.min(from, text.length())));
        return parts;
    }

    private static String withoutOuterBrackets(String text) {
        String inner = text;
        for (int i = 0; i < MAX_DEPTH && inner.startsWith("(") && closing(inner) == inner.length() - 1; i++) {
            inner = inner.substring(1, inner.length() - 1).strip();
        }
        return inner;
    }

    private static int closing(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"') {
                i = stringEnd(text, i);
            } else if (letter == '(') {
                depth++;
            } else if (letter == ')' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static int stringEnd(String text, int from) {
        int i = from + 1;
        while (i < text.length() && text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return i;
    }
}
