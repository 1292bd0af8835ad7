// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jobgate.access.Access;
import org.jobgate.access.Caller;
import org.jobgate.identity.Identity;

/** The REST API over HTTP: finds the operation that a request asks for, and says what is wrong with it as a problem document. */
public final class ApiServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** The path below which the API is. */
    public static final String PATH = "/api/v1";

    private final transient Access access;
    private final transient Routes routes;

    public ApiServlet(Access access) {
        this.access = requireNonNull(access, "access is null");
        this.routes = new Routes(List.of(Route.open("GET", "/openapi.json", OpenApi::answer)));
    }

    /** The operations that are served, as method and path. */
    List<String> operations() {
        return routes.names();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        try {
            answer(request, response);
        } catch (Problem e) {
            refuse(request, response, e);
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException, Problem {
        String path = request.getRequestURI().substring(request.getContextPath().length() + PATH.length());
        Routes.Found found = routes.find(request.getMethod(), PathText.segments(path), request.getRequestURI());
        Caller caller = access.caller((Identity) request.getAttribute(Identity.REQUEST_ATTRIBUTE));
        if (caller.isAnonymous() && !found.route().isOpen()) {
            throw Problem.anonymous();
        }
        found.route().operation().answer(new ApiCall(request, response, caller, found.parameters()));
    }

    /** Too late once the answer has begun; then it just ends early. */
    private static void refuse(HttpServletRequest request, HttpServletResponse response, Problem problem)
            throws IOException {
        if (response.isCommitted()) {
            throw new IOException(problem.detail());
        }
        response.resetBuffer();
        ApiReply.write(request, response, problem);
    }
}
