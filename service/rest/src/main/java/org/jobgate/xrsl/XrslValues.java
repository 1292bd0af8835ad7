// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.xrsl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jobgate.adl.ActivityFaults;
import org.jobgate.limits.Limit;

/** Values of attributes, with variables replaced. */
final class XrslValues {

    private static final ActivityFaults FAULTS = ActivityFaults.XRSL;

    private final Limit textBytes;
    private final Map<String, String> variables = new HashMap<>();

    XrslValues(Limit textBytes) {
        this.textBytes = textBytes;
    }

    /** Variables for what is read later; each may use those before it. */
    void define(Rsl.Relation relation) {
        for (Rsl.Value value : relation.values()) {
            Rsl.Relation one = new Rsl.Relation(relation.name(), relation.operator(), List.of(value));
            for (List<String> pair : sequences(one, 2, 2)) {
                variables.put(pair.get(0), pair.get(1));
            }
        }
    }

    private String text(String name, Rsl.Value value) {
        if (!(value instanceof Rsl.Text text)) {
            throw FAULTS.invalid(name, "", "it must hold texts, and holds parentheses");
        }
        StringBuilder whole = new StringBuilder();
        for (Rsl.Piece piece : text.pieces()) {
            whole.append(piece.isVariable() ? variable(name, piece.text()) : piece.text());
            textBytes.check(whole.length(), "Characters of one text of the job description");
        }
        return whole.toString();
    }

    private String variable(String name, String variable) {
        String value = variables.get(variable);
        if (value == null) {
            throw FAULTS.invalid(name, "$(" + variable + ")", "no rsl_substitution before it says what that is");
        }
        return value;
    }

    /** The only text. */
    String single(Rsl.Relation relation) {
        List<String> all = list(relation);
        if (all.size() != 1) {
            throw FAULTS.invalid(relation.name(), "", "it must have one value, and has " + all.size());
        }
        return all.getFirst();
    }

    List<String> list(Rsl.Relation relation) {
        List<String> texts = new ArrayList<>();
        relation.values().forEach(value -> texts.add(text(relation.name(), value)));
        return texts;
    }

    /** Values in parentheses, each of so many texts; one may stand without parentheses around it. */
    List<List<String>> sequences(Rsl.Relation relation, int least, int most) {
        List<List<String>> sequences = new ArrayList<>();
        for (Rsl.Value value : relation.values()) {
            if (!(value instanceof Rsl.Sequence sequence)) {
                throw FAULTS.invalid(
                        relation.name(), "", "each of its values must stand in parentheses, like (\"a\" \"b\")");
            }
            List<String> texts = new ArrayList<>();
            sequence.values().forEach(inner -> texts.add(text(relation.name(), inner)));
            if (texts.size() < least || texts.size() > most) {
                throw FAULTS.invalid(
                        relation.name(),
                        "",
                        "each of its parentheses must hold " + least + (most == least ? "" : " or more")
                                + " texts, and one holds " + texts.size());
            }
            sequences.add(texts);
        }
        return sequences;
    }

    boolean truth(Rsl.Relation relation) {
        return switch (single(relation).toLowerCase(Locale.ROOT)) {
            case "yes", "true" -> true;
            case "no", "false" -> false;
            default -> throw FAULTS.invalid(relation.name(), single(relation), "it must be yes or no");
        };
    }

    long number(Rsl.Relation relation, long from, long to) {
        String text = single(relation).strip();
        try {
            long number = Long.parseLong(text);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw FAULTS.invalid(relation.name(), text, "it must be a whole number");
        }
        throw FAULTS.invalid(relation.name(), text, "it must be a whole number from " + from + " to " + to);
    }

    static void requireEqual(Rsl.Relation relation) {
        if (!relation.operator().equals("=")) {
            throw FAULTS.invalid(relation.name(), relation.operator(), "it can be compared by = only");
        }
    }
}
