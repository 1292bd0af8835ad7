// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** One stream of server-sent events as it goes over the wire. */
final class EventStream {

    private static final JsonMapper JSON = new JsonMapper();
    private static final byte[] COMMENT = ascii(":\n\n");
    private static final String RETRY = "retry: 2000\n";

    private final HttpServletResponse response;
    private final OutputStream out;
    private final Duration slowest;
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();

    /** @param slowest how long the client may take for what it is sent at once */
    EventStream(ApiCall call, Duration slowest) throws IOException {
        this.response = call.response();
        this.slowest = slowest;
        response.setStatus(200);
        response.setContentType("text/event-stream");
        response.setCharacterEncoding("UTF-8");
        response.setHeader("X-Accel-Buffering", "no");
        this.out = response.getOutputStream();
    }

    /** Says how soon to come back after a cut, and where the stream begins. */
    void begin(long cursor) throws IOException {
        waiting.writeBytes(ascii(RETRY));
        event(
                "ready",
                cursor,
                json -> json.writeStartObject()
                        .writeStringProperty("cursor", Long.toString(cursor))
                        .writeEndObject());
        flush();
    }

    /** An event with JSON in it, which has no line ends of its own. */
    void event(String name, long id, Consumer<JsonGenerator> data) {
        waiting.writeBytes(ascii("event: " + name + "\nid: " + id + "\ndata: "));
        try (JsonGenerator json = JSON.createGenerator(waiting)) {
            data.accept(json);
        }
        waiting.writeBytes(ascii("\n\n"));
    }

    /** Moves the id of the last event on; an event without data is not shown to anybody. */
    void mark(long id) {
        waiting.writeBytes(ascii("id: " + id + "\n\n"));
    }

    /** A sign of life. */
    void comment() {
        waiting.writeBytes(COMMENT);
    }

    /** Sends what was written; answers whether the client took it soon enough to go on. */
    boolean flush() throws IOException {
        long begin = System.nanoTime();
        waiting.writeTo(out);
        waiting.reset();
        response.flushBuffer();
        return System.nanoTime() - begin < slowest.toNanos();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
