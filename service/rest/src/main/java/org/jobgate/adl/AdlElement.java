// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One element of a description that was read.
 *
 * @param namespace its namespace; empty for none
 * @param attributes by local name
 * @param text its own text as it stands
 */
record AdlElement(
        String namespace, String name, Map<String, String> attributes, String text, List<AdlElement> children) {

    AdlElement {
        attributes = Map.copyOf(attributes);
        children = List.copyOf(children);
    }

    String trimmed() {
        return text.strip();
    }

    /** Whether it may be ignored where it cannot be done. */
    boolean isOptional() {
        return truth(attributes.get("optional")).orElse(false);
    }

    /** The value of an XML Schema boolean; empty for any other text. */
    static Optional<Boolean> truth(@org.jspecify.annotations.Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        return switch (value.strip()) {
            case "true", "1" -> Optional.of(true);
            case "false", "0" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
