// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import org.jobgate.files.FileAnswer;
import org.jspecify.annotations.Nullable;

/** The validators of files, and the conditions of requests that name them (RFC 9110 sections 8.8 and 13). */
final class Validators {

    private Validators() {}

    /** Another one for every other file, size and time of change. */
    static String tag(FileAnswer.Part part) {
        return "\"" + part.file() + "-" + part.size() + "-" + part.changed() + "\"";
    }

    static void tell(HttpServletResponse response, FileAnswer.Part part) {
        response.setHeader("ETag", tag(part));
        response.setHeader(FileRequest.FILE_HEADER, part.file());
    }

    static boolean mustBeNew(HttpServletRequest request) {
        return "*".equals(request.getHeader("If-None-Match"));
    }

    /**
     * Judges the conditions under which a file may be replaced.
     *
     * @return what is there now
     */
    static FileAnswer.@Nullable Part check(HttpServletRequest request, FileAnswer.@Nullable Part now)
            throws FileRefusal {
        if (mustBeNew(request) && now != null) {
            throw FileRefusal.exists("The file is there already.");
        }
        String wanted = request.getHeader("If-Match");
        if (wanted != null && (now == null || !matches(wanted, now))) {
            throw FileRefusal.changed();
        }
        return now;
    }

    private static boolean matches(String wanted, FileAnswer.Part now) {
        return wanted.strip().equals("*")
                || Arrays.stream(wanted.split(",", 64))
                        .anyMatch(tag -> tag.strip().equals(tag(now)));
    }
}
