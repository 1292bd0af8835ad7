// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the environment's values into a text: a name in braces after a dollar, with a default after a colon; two dollars stand for one. */
final class Substitution {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?}");

    private Substitution() {}

    /**
     * The text with every reference replaced, once: a value is not searched again.
     *
     * @throws IllegalArgumentException naming a variable that is not set and has no default
     */
    static String apply(String text, Map<String, String> environment) {
        Matcher matcher = REFERENCE.matcher(text);
        return matcher.replaceAll(match -> {
            if (match.group(1) == null) {
                return Matcher.quoteReplacement("${");
            }
            String value = environment.getOrDefault(match.group(1), match.group(2));
            if (value == null) {
                throw new IllegalArgumentException(
                        "the environment variable " + match.group(1) + " is not set and no default is given");
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
