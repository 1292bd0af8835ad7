// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.util.List;

/** The text of a document while it is written, with two spaces before an element for each that it is in. */
final class AdlText {

    private static final String ROOT = "ActivityDescription";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    void begin() {
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<")
                .append(ROOT)
                .append(" xmlns=\"")
                .append(AdlValues.ADL)
                .append("\" xmlns:nordugrid-adl=\"")
                .append(AdlValues.NORDUGRID)
                .append("\">\n");
        depth = 1;
    }

    String end(List<String> unsaid) {
        if (!unsaid.isEmpty()) {
            text.append("  <!-- ADL has no words for its: ")
                    .append(String.join(", ", unsaid))
                    .append(" -->\n");
        }
        return text.append("</").append(ROOT).append(">\n").toString();
    }

    void open(String name) {
        indent();
        text.append('<').append(name).append(">\n");
        depth++;
    }

    void close(String name) {
        depth--;
        indent();
        text.append("</").append(name).append(">\n");
    }

    void text(String name, String value) {
        indent();
        text.append('<').append(name).append('>');
        escape(value);
        text.append("</").append(name).append(">\n");
    }

    void delegation(String id) {
        text("nordugrid-adl:DelegationID", id);
    }

    private void indent() {
        text.repeat("  ", depth);
    }

    /** A carriage return would be read as a line end; what XML cannot carry becomes U+FFFD. */
    private void escape(String value) {
        value.codePoints().forEach(character -> {
            switch (character) {
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                case '\r' -> text.append("&#13;");
                default -> {
                    boolean isXml = character == '\t'
                            || character == '\n'
                            || (character >= 0x20 && character <= 0xD7FF)
                            || (character >= 0xE000 && character <= 0xFFFD)
                            || character >= 0x10000;
                    text.appendCodePoint(isXml ? character : 0xFFFD);
                }
            }
        });
    }
}
