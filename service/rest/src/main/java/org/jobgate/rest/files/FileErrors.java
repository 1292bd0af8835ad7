// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Refusals as JSON, in the form that the admin endpoint speaks too. */
final class FileErrors {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int RETRY_SECONDS = 2;

    private FileErrors() {}

    static void write(HttpServletResponse response, FileRefusal refusal) throws IOException {
        response.setStatus(refusal.status());
        if (refusal.status() == 503) {
            response.setIntHeader("Retry-After", RETRY_SECONDS);
        }
        if (refusal.status() == 405) {
            response.setHeader("Allow", "GET, HEAD, PUT, DELETE");
        }
        response.setContentType("application/json");
        byte[] body = JSON.writeValueAsString(Map.of(
                        "error",
                        Map.of(
                                "code", refusal.code(),
                                "sentence", refusal.sentence(),
                                "remedy", refusal.remedy())))
                .getBytes(StandardCharsets.UTF_8);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
