// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The operations of the API. */
final class Routes {

    private final List<Route> all;

    /** By the first part of their path, which is never a parameter: no request is compared with all operations. */
    private final Map<String, List<Route>> byFirst;

    Routes(List<Route> all) {
        this.all = List.copyOf(all);
        this.byFirst = all.stream()
                .collect(Collectors.groupingBy(route -> route.parts().getFirst().text()));
    }

    /** Each as method and path, as {@code openapi.json} has them. */
    List<String> names() {
        return all.stream()
                .map(route -> route.method() + " " + route.template())
                .toList();
    }

    /**
     * An operation that was found.
     *
     * @param parameters the values of its path's parameters, decoded but for {@link Route#REST}
     */
    record Found(Route route, Map<String, String> parameters) {}

    private static Map<String, String> decoded(Map<String, String> parameters) throws Problem {
        Map<String, String> decoded = new HashMap<>();
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            boolean isWay = parameter.getKey().equals(Route.REST);
            decoded.put(parameter.getKey(), isWay ? parameter.getValue() : PathText.decoded(parameter.getValue()));
        }
        return decoded;
    }

    /**
     * The operation for a request. HEAD is GET without the content.
     *
     * @param segments of the path, percent-encoded
     * @throws Problem of status 404 or 405 where there is none
     */
    Found find(String method, List<String> segments, String path) throws Problem {
        String wanted = method.equals("HEAD") ? "GET" : method;
        TreeSet<String> others = new TreeSet<>();
        List<Route> near = segments.isEmpty() ? List.of() : byFirst.getOrDefault(segments.getFirst(), List.of());
        for (Route route : near) {
            Optional<Map<String, String>> parameters = route.match(segments);
            if (parameters.isPresent() && route.method().equals(wanted)) {
                return new Found(route, decoded(parameters.get()));
            }
            parameters.ifPresent(values -> others.add(route.method()));
        }
        if (others.isEmpty()) {
            throw Problem.nothingAt(path);
        }
        if (others.contains("GET")) {
            others.add("HEAD");
        }
        throw Problem.method(method, others.stream().collect(Collectors.joining(", ")));
    }
}
