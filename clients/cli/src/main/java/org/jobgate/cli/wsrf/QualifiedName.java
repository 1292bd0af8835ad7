// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wsrf;

import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.wire.Names;

/** A name as users write it: {@code {namespace}name}, or with one of the usual prefixes. */
record QualifiedName(String namespace, String name) {
    private static final Map<String, String> PREFIXES = Map.of(
            "job", Names.JOB,
            "types", Names.TYPES,
            "faults", Names.FAULTS,
            "desc", Names.DESCRIPTION,
            "exec", Names.JOB + "/exec",
            "multi", Names.JOB + "/multi",
            "wsrp", Names.PROPERTIES,
            "wsrl", Names.LIFETIME,
            "wsnt", Names.NOTIFICATION,
            "core", Names.CORE);

    /** @throws CommandException it is neither */
    static QualifiedName of(String text) throws CommandException {
        int brace = text.lastIndexOf('}');
        if (text.startsWith("{") && brace > 0 && brace < text.length() - 1) {
            return new QualifiedName(text.substring(1, brace), text.substring(brace + 1));
        }
        int colon = text.indexOf(':');
        String namespace = colon < 0 ? null : PREFIXES.get(text.substring(0, colon));
        if (namespace == null || colon == text.length() - 1) {
            throw Words.usage("Name " + text
                    + " is not of the form {NAMESPACE}NAME, nor PREFIX:NAME with PREFIX one of "
                    + String.join(", ", PREFIXES.keySet().stream().sorted().toList()) + ".");
        }
        return new QualifiedName(namespace, text.substring(colon + 1));
    }
}
