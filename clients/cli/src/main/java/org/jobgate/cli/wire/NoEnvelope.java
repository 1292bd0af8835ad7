// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.wire;

import java.io.IOException;
import org.jobgate.cli.tls.HttpReply;
import org.jobgate.cli.tls.RefusedException;
import org.jspecify.annotations.Nullable;

/** What an HTTP answer without a SOAP envelope means: it comes from something before the service, or from another service. */
final class NoEnvelope {
    private static final int STATUS_SERVER_ERROR = 500;

    private NoEnvelope() {}

    /** An error of the server may pass; every other answer would be the same again. */
    static IOException of(String address, HttpReply reply, @Nullable Throwable cause) {
        int status = reply.status();
        String answered = address + " answered with HTTP status " + status
                + (reply.reason().isBlank() ? "" : " " + reply.reason()) + reply.bodyStart() + ". ";
        String meaning = switch (status) {
            case 400 -> "It did not understand the request. Is that the port of a Jobgate or GRAM4 service?";
            case 401 -> "It does not know who you are. Show a certificate or a token that it accepts.";
            case 403 -> "You may not use it. Ask its administrator for access.";
            case 404, 405, 410 -> "There is no such service there. Check the address, its port and its path.";
            case 408, 425, 429 -> "It is busy.";
            case 413, 414, 431 -> "The request is too large for it. Send less.";
            default ->
                status >= STATUS_SERVER_ERROR
                        ? "It, or a proxy before it, has a problem of its own; its administrator finds the reason in the log."
                        : "That is no answer of a Jobgate or GRAM4 service. Check the address, its port and its path.";
        };
        if (reply.isToSecondSending() && !mayPass(status)) {
            return new IOException(answered + meaning + " It may have done the same request before.", cause);
        }
        return mayPass(status)
                ? new HttpStatusException(status, answered + meaning, cause)
                : new RefusedException(refused(status), answered + meaning, cause);
    }

    private static RefusedException.What refused(int status) {
        return switch (status) {
            case 401 -> RefusedException.What.CREDENTIAL;
            case 403, 404, 405, 410 -> RefusedException.What.ADDRESS;
            case 413, 414, 431 -> RefusedException.What.SIZE;
            default -> RefusedException.What.REQUEST;
        };
    }

    /** Whether the same request may be answered otherwise in a moment. */
    static boolean mayPass(int status) {
        return status >= STATUS_SERVER_ERROR || status == 408 || status == 425 || status == 429;
    }
}
