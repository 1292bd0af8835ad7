// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.limits.Limit;

/**
 * Puts values in the place of <code>${NAME}</code>. <code>$${NAME}</code> is the text <code>${NAME}</code>; a dollar sign before
 * anything else is itself. A value is not searched for variables again; a site's definition is, to ten levels.
 */
final class Substitution {

    /** As in the original (facts/gram4.md section 2.2). */
    private static final int LEVELS = 10;

    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$?)\\{([A-Za-z_][A-Za-z0-9_.]{0,127})\\}");

    private final Variables variables;
    private final Limit bytes;

    /** What each variable came to, so that definitions which name each other many times cost no more than their number. */
    private final Map<String, String> known = new HashMap<>();

    /** @param bytes how long a text may become */
    Substitution(Variables variables, Limit bytes) {
        this.variables = variables;
        this.bytes = bytes;
    }

    /** The text of the element of this name with its variables replaced. */
    String apply(String element, String text) {
        return apply(element, text, 0);
    }

    private String apply(String element, String text, int level) {
        if (text.indexOf("${") < 0) {
            return text;
        }
        StringBuilder result = new StringBuilder();
        Matcher matcher = REFERENCE.matcher(text);
        while (matcher.find()) {
            String name = matcher.group(2);
            String value = matcher.group(1).isEmpty() ? value(element, name, level) : "${" + name + "}";
            matcher.appendReplacement(result, Matcher.quoteReplacement(value));
            bytes.check(result.length(), "Bytes of the element " + element);
        }
        return matcher.appendTail(result).toString();
    }

    private String value(String element, String name, int level) {
        String before = known.get(name);
        if (before != null) {
            return before;
        }
        String value = variables.value(name).orElseGet(() -> defined(element, name, level));
        known.put(name, value);
        return value;
    }

    private String defined(String element, String name, int level) {
        Optional<String> definition = variables.definition(name);
        if (definition.isEmpty()) {
            throw JddFaults.invalid(
                    element,
                    "${" + name + "}",
                    "no value found for the variable " + name + "; write $${" + name + "} if you mean the text");
        }
        if (level >= LEVELS) {
            throw JddFaults.invalid(
                    element,
                    "${" + name + "}",
                    "the site's definitions of variables are nested more than " + LEVELS + " levels deep");
        }
        return apply(element, definition.get(), level + 1);
    }
}
