// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.tls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Reads the sections of a PEM file (RFC 7468, and the older form with headers such as {@code Proc-Type}). */
final class Pem {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private Pem() {}

    /**
     * One section.
     *
     * @param type what stands after BEGIN, e.g. {@code CERTIFICATE}
     * @param headers lines {@code Name: value} before the data
     */
    @SuppressWarnings("ArrayRecordComponent") // made once, read once, never compared
    record Section(String type, List<String> headers, byte[] data) {}

    /**
     * All sections in their order; text between them is skipped.
     *
     * @throws IllegalArgumentException a section without end, or data that is not base64
     */
    static List<Section> sections(String text) {
        List<Section> sections = new ArrayList<>();
        int at = text.indexOf(BEGIN);
        while (at >= 0) {
            int typeEnd = text.indexOf(DASHES, at + BEGIN.length());
            int end = typeEnd < 0 ? -1 : text.indexOf(END, typeEnd);
            if (end < 0) {
                throw new IllegalArgumentException("a section begins and has no end");
            }
            String type = text.substring(at + BEGIN.length(), typeEnd);
            sections.add(section(type, text.substring(typeEnd + DASHES.length(), end)));
            at = text.indexOf(BEGIN, end);
        }
        return sections;
    }

    private static Section section(String type, String content) {
        int data = 0;
        List<String> headers = new ArrayList<>();
        if (content.indexOf(':') >= 0) {
            data = content.lastIndexOf(':');
            data = content.indexOf('\n', data) + 1;
            content.substring(0, data).lines().filter(line -> !line.isBlank()).forEach(headers::add);
        }
        return new Section(type, headers, Base64.getMimeDecoder().decode(content.substring(data)));
    }
}
