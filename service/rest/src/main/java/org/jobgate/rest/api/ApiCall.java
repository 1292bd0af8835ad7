// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.jobgate.access.Caller;

/** One request to the API, and its answer. */
final class ApiCall {

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Caller caller;
    private final Map<String, String> parameters;

    /** @param parameters of the path, by name */
    ApiCall(HttpServletRequest request, HttpServletResponse response, Caller caller, Map<String, String> parameters) {
        this.request = requireNonNull(request, "request is null");
        this.response = requireNonNull(response, "response is null");
        this.caller = requireNonNull(caller, "caller is null");
        this.parameters = Map.copyOf(parameters);
    }

    HttpServletRequest request() {
        return request;
    }

    HttpServletResponse response() {
        return response;
    }

    /** Who asks; anonymous only for operations that are open to everybody. */
    Caller caller() {
        return caller;
    }

    /** A parameter of the path. */
    String parameter(String name) {
        return requireNonNull(parameters.get(name), name);
    }
}
