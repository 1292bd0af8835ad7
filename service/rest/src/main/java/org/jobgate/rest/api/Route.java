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

    /** The values of the path's parameters; empty where the path is another one. */
    Optional<Map<String, String>> match(List<String> segments) {
        String[] parts = template.substring(1).split("/", -1);
        if (parts.length != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].startsWith("{")) {
                values.put(parts[i].substring(1, parts[i].length() - 1), segments.get(i));
            } else if (!parts[i].equals(segments.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }
}
