// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The form in which a client wants its answers. As ARC 7.0 does it, the first form of {@code Accept} that is known counts, whatever its weight; without any, HTML. */
enum Format {
    JSON("application/json"),
    XML("application/xml"),
    HTML("text/html;charset=utf-8");

    private final String contentType;

    Format(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    /** Writes in this form. */
    Form to(Appendable out) {
        return switch (this) {
            case JSON -> new JsonForm(out);
            case XML -> new XmlForm(out);
            case HTML -> new HtmlForm(out);
        };
    }

    static Format of(@Nullable String accept) {
        for (String one : accept == null ? new String[0] : accept.split(",", 32)) {
            switch (one.split(";", 2)[0].strip().toLowerCase(Locale.ROOT)) {
                case "application/json" -> {
                    return JSON;
                }
                case "text/xml", "application/xml" -> {
                    return XML;
                }
                case "text/html" -> {
                    return HTML;
                }
                default -> {}
            }
        }
        return HTML;
    }
}
