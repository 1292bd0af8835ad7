// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.jobgate.access.Caller;
import org.jobgate.limits.JobLimits;
import tools.jackson.core.JsonGenerator;

/** One request to the API, and its answer. */
final class ApiCall {

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Caller caller;
    private final Map<String, String> parameters;
    private final JobLimits limits;

    /**
     * @param parameters of the path, by name
     * @param limits of the texts in the request
     */
    ApiCall(
            HttpServletRequest request,
            HttpServletResponse response,
            Caller caller,
            Map<String, String> parameters,
            JobLimits limits) {
        this.request = requireNonNull(request, "request is null");
        this.response = requireNonNull(response, "response is null");
        this.caller = requireNonNull(caller, "caller is null");
        this.parameters = Map.copyOf(parameters);
        this.limits = requireNonNull(limits, "limits is null");
    }

    HttpServletRequest request() {
        return request;
    }

    HttpServletResponse response() {
        return response;
    }

    /** The caller; anonymous only for operations that are open to everybody. */
    Caller caller() {
        return caller;
    }

    /**
     * The part of the address behind the question mark.
     *
     * @param known the names that the operation takes
     * @throws Problem where another one is there
     */
    Query query(String... known) throws Problem {
        return Query.of(request.getQueryString(), known);
    }

    /** The members of the JSON object that is the request's content. */
    Fields fields() throws IOException, Problem {
        return fields(new TextBudget(limits));
    }

    /** The same, with another bound of its texts. */
    Fields fields(TextBudget budget) throws IOException, Problem {
        return new Fields(JsonIn.body(request), "", budget);
    }

    /** Whether the request has content. Reads of it where no type says what it is: such content is refused by {@link #fields}. */
    boolean hasContent() throws IOException {
        return !JsonIn.mediaType(request).isEmpty() || request.getInputStream().read() >= 0;
    }

    /** Answers with JSON, which the writer writes. */
    void json(int status, Consumer<JsonGenerator> writer) throws IOException {
        ApiReply.json(request, response, status, writer);
    }

    /** A parameter of the path. */
    String parameter(String name) {
        return requireNonNull(parameters.get(name), name);
    }
}
