// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The document that describes this API. */
final class OpenApi {

    private static final byte[] DOCUMENT = read();

    private OpenApi() {}

    private static byte[] read() {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
            return Objects.requireNonNull(in, "openapi.json is missing").readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("openapi.json cannot be read", e);
        }
    }

    static void answer(ApiCall call) throws IOException, Problem {
        call.query();
        ApiReply.write(call.request(), call.response(), 200, ApiReply.JSON_TYPE, DOCUMENT);
    }
}
