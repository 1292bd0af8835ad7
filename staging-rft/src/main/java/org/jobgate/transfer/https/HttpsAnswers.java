// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import org.jobgate.job.Reason;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the answers of web servers, and their absence, mean for a transfer. */
final class HttpsAnswers {

    private static final int MAX_VERSION = 256;
    private static final Logger LOG = LoggerFactory.getLogger(HttpsAnswers.class);

    private HttpsAnswers() {}

    /** A strong entity tag; without one nothing is resumed, for a time in seconds cannot tell two contents apart. */
    static String version(HttpResponse<?> response) {
        return response.headers()
                .firstValue("ETag")
                .filter(tag -> tag.startsWith("\"") && tag.length() <= MAX_VERSION)
                .filter(tag -> tag.chars().allMatch(c -> c > ' '))
                .orElse("");
    }

    /** The server said no. Its body is left: what an error page says is for browsers. */
    static TransferException refused(String method, HttpResponse<InputStream> response) {
        discard(response);
        int status = response.statusCode();
        String sentence = "the server answered " + method + " with HTTP status " + status + meaning(response);
        return switch (status) {
            case 401, 403 ->
                new TransferException(
                        Kind.PERMANENT,
                        sentence,
                        "Name a delegated credential whose owner may use the file, or ask the server's administrator.");
            case 404, 410 -> new TransferException(Kind.PERMANENT, sentence, "Correct the URL in the job.");
            case 408, 409, 423, 425, 429, 500 -> new TransferException(Kind.TRANSIENT, sentence, "Try again later.");
            case 502, 503, 504 ->
                new TransferException(Kind.SERVER, sentence, "Try again later; ask the server's administrator.");
            case 507 -> new TransferException(Kind.TRANSIENT, sentence, "Make room on the server.");
            default -> new TransferException(Kind.PERMANENT, sentence, "Ask the server's administrator.");
        };
    }

    private static String meaning(HttpResponse<?> response) {
        int status = response.statusCode();
        return switch (status) {
            case 401, 403 -> " (not permitted)";
            case 404, 410 -> " (no such file)";
            case 507 -> " (no space left)";
            default -> "";
        };
    }

    /** Closes the connection where the rest of the body is long; reads it where it is short, so that the connection is used again. */
    static void discard(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            body.readNBytes(8192);
        } catch (IOException e) {
            // the answer has come; the loss of the connection afterwards does not change it
            LOG.debug("the rest of an answer was lost", e);
        }
    }

    /** There was no answer. */
    static TransferException broken(HttpRequest request, IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransferException known) {
                return known; // of the other side
            }
            if (cause instanceof CertificateException) {
                return new TransferException(
                        Kind.PERMANENT,
                        "the server " + request.uri().getRawAuthority() + " is not trusted: " + cause.getMessage(),
                        "Check the host's name; the site's administrator can install the authority of its certificate.",
                        e);
            }
        }
        return new TransferException(
                Kind.SERVER,
                "the server " + request.uri().getRawAuthority() + " did not answer: " + Reason.of(e),
                "Try again later; ask the server's administrator.",
                e);
    }
}
