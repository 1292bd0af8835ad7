// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** XML, with two spaces for each level as ARC has it. */
final class XmlForm implements Form {

    private final Appendable out;
    private String root = "";

    XmlForm(Appendable out) {
        this.out = out;
    }

    /** The text with what would be read as markup encoded. What no XML 1.0 document can hold becomes a question mark. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\r' -> escaped.append("&#13;");
                default -> escaped.appendCodePoint(isCharacter(c) ? c : '?');
            }
        });
        return escaped.toString();
    }

    private static boolean isCharacter(int c) {
        return c == '\t' || c == '\n' || (c >= ' ' && c < 0xD800) || (c >= 0xE000 && c != 0xFFFE && c != 0xFFFF);
    }

    @Override
    public void document(Element element, List<String> lists) throws IOException {
        write(element, 0);
    }

    @Override
    public void begin(String name, String item) throws IOException {
        root = name;
        out.append('<').append(name).append(">\n");
    }

    @Override
    public void item(Element element) throws IOException {
        write(element, 1);
    }

    @Override
    public void next(String item) {
        // each element has its own name
    }

    @Override
    public void end() throws IOException {
        out.append("</").append(root).append(">\n");
    }

    private void write(Element element, int depth) throws IOException {
        String margin = "  ".repeat(depth);
        out.append(margin).append('<').append(element.name());
        for (Map.Entry<String, String> attribute : element.attributes().entrySet()) {
            out.append(' ')
                    .append(attribute.getKey())
                    .append("=\"")
                    .append(escaped(attribute.getValue()))
                    .append('"');
        }
        if (element.children().isEmpty() && element.text().isEmpty()) {
            out.append("/>\n");
            return;
        }
        out.append('>').append(escaped(element.text()));
        if (!element.children().isEmpty()) {
            out.append('\n');
            for (Element child : element.children()) {
                write(child, depth + 1);
            }
            out.append(margin);
        }
        out.append("</").append(element.name()).append(">\n");
    }
}
