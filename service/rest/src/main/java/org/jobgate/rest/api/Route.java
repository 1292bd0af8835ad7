// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One operation of the API: a method, and a path below the API's own in the form of OpenAPI, in which {@code {name}} stands for one
 * segment.
 *
 * @param isOpen whether a sender without a name may ask it
 */
record Route(String method, String template, boolean isOpen, Operation operation) {

    Route {
        requireNonNull(method, "method is null");
        requireNonNull(template, "template is null");
        requireNonNull(operation, "operation is null");
    }

    /** An operation for senders with a name. */
    static Route of(String method, String template, Operation operation) {
        return new Route(method, template, false, operation);
    }

    /** An operation for everybody. */
    static Route open(String method, String template, Operation operation) {
        return new Route(method, template, true, operation);
    }

    /** Names the rest of a path, slashes and all; it can only be the last one. */
    static final String REST = "path";

    /**
     * The values of the path's parameters, as they came; empty where the path is another one.
     *
     * @param segments of the path, percent-encoded
     */
    Optional<Map<String, String>> match(List<String> segments) {
        String[] parts = template.substring(1).split("/", -1);
        boolean hasRest = parts[parts.length - 1].equals("{" + REST + "}");
        if (hasRest ? segments.size() < parts.length : segments.size() != parts.length) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < parts.length; i++) {
            if (hasRest && i == parts.length - 1) {
                values.put(REST, String.join("/", segments.subList(i, segments.size())));
            } else if (parts[i].startsWith("{")) {
                values.put(parts[i].substring(1, parts[i].length() - 1), segments.get(i));
            } else if (!parts[i].equals(segments.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }
}
