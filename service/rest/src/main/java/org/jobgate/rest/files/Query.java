// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.http.HttpServletRequest;
import org.jobgate.files.FileNames;
import org.jspecify.annotations.Nullable;

/**
 * The part of an address behind the question mark. {@code getParameter} would also read the body of a PUT that says it is a form, as
 * some clients say of every body.
 */
final class Query {

    private Query() {}

    /** The value of this name, empty where it has none; null where the name is not there. */
    static @Nullable String value(HttpServletRequest request, String name) throws FileRefusal {
        String query = request.getQueryString();
        if (query == null) {
            return null;
        }
        for (String pair : query.split("&", 64)) {
            int equals = pair.indexOf('=');
            if ((equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                return decoded(equals < 0 ? "" : pair.substring(equals + 1));
            }
        }
        return null;
    }

    private static String decoded(String value) throws FileRefusal {
        try {
            return FileNames.decoded(value.replace('+', ' '));
        } catch (IllegalArgumentException e) {
            throw FileRefusal.badRequest("The query cannot be read: " + e.getMessage() + ".");
        }
    }
}
