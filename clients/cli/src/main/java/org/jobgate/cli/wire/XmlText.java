// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

/** Text on its way into XML 1.0. */
public final class XmlText {
    /** The dollar sign of what a service takes for a variable of a job description (docs/reference/gram4.md). */
    private static final String VARIABLE = "\\$(?=\\{[A-Za-z_][A-Za-z0-9_.]{0,127}\\})";

    private XmlText() {}

    /**
     * Appends a text of a job description that is meant to the letter: <code>${NAME}</code> in it is no variable. The service's escape
     * for that is one more dollar sign.
     */
    public static void appendLiteral(StringBuilder out, String text) {
        append(out, text.indexOf("${") < 0 ? text : text.replaceAll(VARIABLE, "\\$\\$"));
    }

    /** Appends the text so that a parser gives back the same characters, carriage returns and line ends included. */
    public static void append(StringBuilder out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                // a parser turns a bare CR into LF, and in attributes LF and TAB into spaces
                case '\r' -> out.append("&#13;");
                case '\n' -> out.append("&#10;");
                case '\t' -> out.append("&#9;");
                default -> out.append(c);
            }
        }
    }

    public static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        append(out, text);
        return out.toString();
    }

    /**
     * The place of the first character that no XML 1.0 document can hold in any spelling.
     *
     * @return the index, or -1 where the text can be sent
     */
    public static int firstForbidden(String text) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (!isAllowed(text.codePointAt(i))) {
                return i;
            }
        }
        return -1;
    }

    /** XML 1.0, production 2 (Char). */
    private static boolean isAllowed(int c) {
        return c == 0x9
                || c == 0xA
                || c == 0xD
                || (c >= 0x20 && c <= 0xD7FF)
                || (c >= 0xE000 && c <= 0xFFFD)
                || c >= 0x10000;
    }
}
