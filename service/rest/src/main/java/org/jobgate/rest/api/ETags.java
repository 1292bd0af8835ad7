// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.jobgate.job.Job;
import org.jspecify.annotations.Nullable;

/** Versions of jobs and arrays as entity tags (RFC 9110 section 8.8.3), and the conditions that clients make of them. */
final class ETags {

    private static final int LONGEST = 4_096;

    private ETags() {}

    static String of(Job job) {
        return of(job.version());
    }

    static String of(long version) {
        return "\"" + version + "\"";
    }

    /** Whether the client has this already. */
    static boolean isUnchanged(HttpServletRequest request, long version) {
        String header = request.getHeader("If-None-Match");
        return header != null && names(header, version);
    }

    /** The version that the client has seen, where If-None-Match names exactly one. */
    static Optional<Long> seen(HttpServletRequest request) {
        String header = request.getHeader("If-None-Match");
        return header == null || !header.strip().matches("(?:W/)?\"[0-9]{1,18}\"")
                ? Optional.empty()
                : Optional.of(Long.parseLong(header.replaceAll("[^0-9]", "")));
    }

    /** The versions of a job that If-Match allows; all where there is no such header. */
    static LongPredicate allowed(HttpServletRequest request) {
        String header = request.getHeader("If-Match");
        return header == null ? version -> true : version -> names(header, version);
    }

    /**
     * Refuses where If-Match names other versions only.
     *
     * @throws Problem of status 412
     */
    static void check(HttpServletRequest request, Job job) throws Problem {
        if (!allowed(request).test(job.version())) {
            throw other(job);
        }
    }

    /** The answer where the job is not as If-Match says. */
    static Problem other(Job job) {
        return new Problem(
                        412,
                        "CHANGED",
                        "The job is not as If-Match says: its version is " + job.version() + " now.",
                        "Read it anew, and decide then.")
                .with("job", job.id().toString())
                .header("ETag", of(job));
    }

    private static boolean names(@Nullable String header, long version) {
        if (header == null || header.length() > LONGEST) {
            return false;
        }
        String own = of(version);
        return Arrays.stream(header.split(",", -1))
                .map(String::strip)
                .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                .anyMatch(tag -> tag.equals("*") || tag.equals(own));
    }
}
