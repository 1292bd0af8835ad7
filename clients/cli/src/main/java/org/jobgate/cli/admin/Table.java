// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.cli.text.Printable;
import tools.jackson.databind.JsonNode;

/** Rows of text in columns, for people. */
final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    Table(String... heads) {
        rows.add(List.of(heads));
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    void print(PrintWriter out) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i))
                        .repeat(' ', widths[i] - width(row.get(i)))
                        .append(GAP);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    /** An object's members, one per line; members inside are indented. */
    static void pairs(PrintWriter out, JsonNode object) {
        pairs(out, object, "");
    }

    private static void pairs(PrintWriter out, JsonNode object, String indent) {
        int width = object.properties().stream()
                .mapToInt(entry -> entry.getKey().length())
                .max()
                .orElse(0);
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            JsonNode value = entry.getValue();
            if (value.isObject()) {
                out.println(indent + entry.getKey());
                pairs(out, value, indent + GAP);
            } else if (!value.isNull()) {
                String name = entry.getKey() + " ".repeat(width - entry.getKey().length());
                out.println(indent + name + GAP + text(value));
            }
        }
    }

    /** A value as people read it, with no orders to a terminal in it: nothing for null, commas between the parts of a list. */
    static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(part -> parts.add(text(part)));
            return String.join(", ", parts);
        }
        return Printable.lines(value.isObject() ? value.toString() : value.asString());
    }
}
