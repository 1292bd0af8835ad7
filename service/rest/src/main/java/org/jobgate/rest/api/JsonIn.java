// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the JSON that clients send, strictly: UTF-8, each name once, of bounded depth, and nothing behind it. */
final class JsonIn {

    private static final int DEEPEST = 32;
    private static final int LONGEST_NAME = 1_024;
    private static final int LONGEST_NUMBER = 64;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxNameLength(LONGEST_NAME)
                            .maxNumberLength(LONGEST_NUMBER)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JsonIn() {}

    /**
     * The body of a request.
     *
     * @throws Problem where its type is another one, or it is no such JSON
     */
    static JsonNode body(HttpServletRequest request) throws IOException, Problem {
        String type = mediaType(request);
        if (!type.equals("application/json")) {
            throw new Problem(
                            415,
                            "CONTENT_TYPE",
                            type.isEmpty()
                                    ? "The request does not say what its content is."
                                    : "Content of the type " + Problem.told(type) + " is not read here.",
                            "Send JSON, with the header Content-Type: application/json.")
                    .header("Accept", "application/json");
        }
        return parse(request.getInputStream().readAllBytes());
    }

    /** The type without its parameters, in small letters; empty where there is none. */
    static String mediaType(HttpServletRequest request) {
        String type = request.getContentType();
        return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    static JsonNode parse(byte[] content) throws Problem {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw wrong("The content is not UTF-8.", "Send JSON in UTF-8.");
        }
        if (text.isBlank()) {
            throw wrong("The request has no content.", "Send JSON.");
        }
        try {
            return JSON.readTree(text);
        } catch (StreamConstraintsException e) {
            throw wrong(
                    "The JSON goes over a bound" + place(e) + ": it may be " + DEEPEST + " deep, a name may have "
                            + LONGEST_NAME + " characters and a number " + LONGEST_NUMBER + ".",
                    "Send less.");
        } catch (JacksonException e) {
            throw wrong(
                    "The content is no JSON as it is read here" + place(e) + ": " + said(e) + ".",
                    "Correct it there. Each name may stand once in an object.");
        }
    }

    private static Problem wrong(String detail, String remedy) {
        return new Problem(400, "BAD_JSON", detail, remedy);
    }

    private static String place(JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        return at == null || at.getLineNr() < 1 ? "" : ", line " + at.getLineNr() + " column " + at.getColumnNr();
    }

    /** What is wrong, without the names of classes that the library puts behind it. */
    private static String said(JacksonException e) {
        String message = String.valueOf(e.getOriginalMessage());
        String plain = Problem.plain(message.split("\n", 2)[0].split(" \\(", 2)[0]);
        return plain.strip().replaceAll("[.:]$", "");
    }
}
