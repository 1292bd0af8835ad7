// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.door;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.Servlet;
import java.util.List;
import java.util.Set;

/**
 * A servlet that answers all requests at a path and below it. The caller is in the request, as its attribute
 * {@code Identity.REQUEST_ATTRIBUTE}.
 *
 * @param root the path, with a slash at the beginning and none at the end
 * @param what is found there, in the plural
 * @param methods that it serves
 * @param streamed the methods whose bodies the servlet passes on as they come, and bounds itself
 * @param smallLetters the names of headers that are written in small letters in answers
 */
public record ServletMount(
        String root, String what, Servlet servlet, List<String> methods, Set<String> streamed, Set<String> smallLetters)
        implements Mount {

    public ServletMount {
        requireNonNull(what, "what is null");
        requireNonNull(servlet, "servlet is null");
        methods = List.copyOf(methods);
        streamed = Set.copyOf(streamed);
        smallLetters = Set.copyOf(smallLetters);
        if (!root.startsWith("/") || root.endsWith("/")) {
            throw new IllegalArgumentException(
                    "the root of a mount begins with a slash and does not end with one: " + root);
        }
    }

    /** A servlet whose clients know that the case of headers means nothing. */
    public ServletMount(String root, String what, Servlet servlet, List<String> methods, Set<String> streamed) {
        this(root, what, servlet, methods, streamed, Set.of());
    }

    /** A servlet that takes bodies as a whole, within the limit of its door. */
    public ServletMount(String root, String what, Servlet servlet, List<String> methods) {
        this(root, what, servlet, methods, Set.of());
    }

    @Override
    public List<String> paths() {
        return List.of(root);
    }

    @Override
    public boolean streams(String method) {
        return streamed.contains(method);
    }
}
