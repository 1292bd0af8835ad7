// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.jobgate.container.http.RequestForm.told;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * What the HTTP server itself refuses, and what fails behind it, in the form of the door that was asked. Neither the server's name nor an
 * exception is told.
 */
final class RefusingErrors implements Request.Handler {

    private final long maxHeaderBytes;

    /** @param maxHeaderBytes what a request's line and headers may have; the server refuses more by itself */
    RefusingErrors(long maxHeaderBytes) {
        this.maxHeaderBytes = maxHeaderBytes;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        if (HttpStatus.hasNoBody(status)) {
            callback.succeeded();
            return true;
        }
        refusal(request, status).answer(request, response, callback);
        return true;
    }

    private Refusal refusal(Request request, int status) {
        return switch (status) {
            case 403 ->
                refusal(
                        403,
                        "CREDENTIAL_UNUSABLE",
                        "No credential is delegated by httpg: " + reason(request),
                        "Connect without delegation, or delegate again.");
            case 404 -> notFound(Request.getPathInContext(request), Mounts.of(request));
            case 405 ->
                refusal(
                        405,
                        "METHOD_NOT_ALLOWED",
                        "The method " + told(request.getMethod()) + " is not served here.",
                        "Use another.");
            case 408 -> refusal(408, "TIMEOUT", "The rest of the request did not come in time.", "Send it faster.");
            case 413 -> refusal(413, "LIMIT_EXCEEDED", "The request is too large.", "Send less.");
            case 414, 431 ->
                refusal(
                        status,
                        "LIMIT_EXCEEDED",
                        "The request's line and headers are too long; the limit is limits.maxHeaderBytes = "
                                + maxHeaderBytes + ".",
                        "Send less in them.");
            case 417 ->
                refusal(
                        417,
                        "EXPECTATION",
                        "What the request's header Expect asks for is not served here.",
                        "Leave it out, or expect 100-continue.");
            case 503 ->
                new Refusal(503, "UNAVAILABLE", "The service is stopping or not ready.", "Try again in a moment.", 2);
            default ->
                status < 500
                        ? refusal(status, "BAD_REQUEST", bad(request), "Correct the request.")
                        : refusal(
                                status,
                                "INTERNAL",
                                "The gateway failed in answering this request.",
                                "Try again; if it happens again, tell the site's administrator the time of it: the log says more.");
        };
    }

    /** The refusal of a path at which nothing is served. */
    private static Refusal notFound(@Nullable String path, Mounts mounts) {
        return refusal(
                404,
                "NOT_FOUND",
                "There is nothing at " + told(path == null ? "" : path) + ".",
                "Check the address" + (mounts.where().isEmpty() ? "." : ": " + mounts.where() + "."));
    }

    /** Only what the server says of HTTP is told; the text of another exception may name anything. */
    private static String bad(Request request) {
        String reason = reason(request);
        return reason.isEmpty()
                ? "The request is not HTTP as it is served here."
                : "The request is not HTTP as it is served here: " + reason + ".";
    }

    private static String reason(Request request) {
        return request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException http
                        && http.getReason() != null
                ? told(http.getReason())
                : "";
    }

    private static Refusal refusal(int status, String code, String sentence, String remedy) {
        return new Refusal(status, code, sentence, remedy, null);
    }
}
