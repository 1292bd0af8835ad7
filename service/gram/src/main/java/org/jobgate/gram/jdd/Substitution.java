// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts values in the place of <code>${NAME}</code>. <code>$${NAME}</code> is the text <code>${NAME}</code>; a dollar sign before
 * anything else is itself.
 */
final class Substitution {

    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$?)\\{([A-Za-z_][A-Za-z0-9_.]{0,127})\\}");

    private final Variables variables;

    Substitution(Variables variables) {
        this.variables = variables;
    }

    /** The text of the element of this name with its variables replaced; values are not searched for variables again. */
    String apply(String element, String text) {
        if (text.indexOf("${") < 0) {
            return text;
        }
        Matcher matcher = REFERENCE.matcher(text);
        return matcher.replaceAll(match -> {
            String name = match.group(2);
            String value = match.group(1).isEmpty() ? value(element, name) : "${" + name + "}";
            return Matcher.quoteReplacement(value);
        });
    }

    private String value(String element, String name) {
        return variables
                .value(name)
                .orElseThrow(() -> JddFaults.invalid(
                        element,
                        "${" + name + "}",
                        "no value found for the variable " + name + "; write $${" + name + "} if you mean the text"));
    }
}
