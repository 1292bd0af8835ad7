// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One operation of the API: a method, and a path below the API's own in the form of OpenAPI, in which {@code {name}} stands for one
 * segment.
 *
 * @param isOpen whether a sender without a name may ask it
 * @param parts of the template
 */
record Route(String method, String template, boolean isOpen, Operation operation, List<Part> parts) {

    /** Names the rest of a path, slashes and all; it can only be the last one. */
    static final String REST = "path";

    /**
     * What stands between two slashes of a template.
     *
     * @param text itself, or the name of the parameter
     */
    record Part(String text, boolean isParameter) {

        static Part of(String text) {
            return text.startsWith("{") ? new Part(text.substring(1, text.length() - 1), true) : new Part(text, false);
        }
    }

    Route {
        requireNonNull(method, "method is null");
        requireNonNull(template, "template is null");
        requireNonNull(operation, "operation is null");
        parts = List.copyOf(parts);
    }

    private static Route of(String method, String template, boolean isOpen, Operation operation) {
        List<Part> parts = new ArrayList<>();
        for (String text : template.substring(1).split("/", -1)) {
            parts.add(Part.of(text));
        }
        return new Route(method, template, isOpen, operation, parts);
    }

    /** An operation for senders with a name. */
    static Route of(String method, String template, Operation operation) {
        return of(method, template, false, operation);
    }

    /** An operation for everybody. */
    static Route open(String method, String template, Operation operation) {
        return of(method, template, true, operation);
    }

    private boolean hasRest() {
        return parts.getLast().equals(new Part(REST, true));
    }

    /**
     * The values of the path's parameters, as they came; empty where the path is another one.
     *
     * @param segments of the path, percent-encoded
     */
    Optional<Map<String, String>> match(List<String> segments) {
        if (segments.size() < parts.size() || (segments.size() > parts.size() && !hasRest())) {
            return Optional.empty();
        }
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (!part.isParameter() && !part.text().equals(segments.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(values(segments));
    }

    private Map<String, String> values(List<String> segments) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (part.isParameter()) {
                boolean isRest = i == parts.size() - 1 && hasRest();
                values.put(
                        part.text(), isRest ? String.join("/", segments.subList(i, segments.size())) : segments.get(i));
            }
        }
        return values;
    }
}
