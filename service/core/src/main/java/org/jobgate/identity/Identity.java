// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.identity;

import static org.jobgate.job.Text.requireText;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who a caller is, as proven by the credential that the caller presented.
 *
 * @param subject the distinguished name of the end entity in slash form, e.g. {@code /O=Grid/CN=Alice}; proxies are resolved to it
 * @param method how it was proven, e.g. {@code tls}
 * @param limited whether it was proven by a limited proxy, which may read but not start jobs
 * @param fqans the VOMS attributes that somebody trusted has signed, e.g. {@code /atlas/Role=production}, the primary one first; at
 *     most {@value #MAX_ATTRIBUTES}
 * @param scopes the scopes of the bearer token that proved it, e.g. {@code compute.create}; empty if it was no token; at most
 *     {@value #MAX_ATTRIBUTES}
 * @param issuer of the bearer token that proved it; absent if it was no token
 */
public record Identity(
        String subject,
        String method,
        boolean limited,
        List<String> fqans,
        List<String> scopes,
        @Nullable String issuer) {

    /** The servlet request attribute under which the container leaves the caller's identity; absent for an anonymous caller. */
    public static final String REQUEST_ATTRIBUTE = "org.jobgate.identity";

    /**
     * The servlet request attribute under which the container leaves the id of the credential that the client delegated on the connection of the
     * request, before the first one; absent where it delegated none, and where a bearer token says who sends the request.
     */
    public static final String DELEGATED_ATTRIBUTE = "org.jobgate.delegated";

    /** How many FQANs, and how many scopes, one identity may have. */
    public static final int MAX_ATTRIBUTES = 256;

    private static final int MAX_LENGTH = 1024;

    public Identity {
        requireText(subject, "subject", MAX_LENGTH);
        requireText(method, "method", 64);
        fqans = checked(fqans, "fqans");
        scopes = checked(scopes, "scopes");
        if (issuer != null) {
            requireText(issuer, "issuer", MAX_LENGTH);
        }
    }

    /** An identity that no bearer token has proven. */
    public Identity(String subject, String method, boolean limited, List<String> fqans, List<String> scopes) {
        this(subject, method, limited, fqans, scopes, null);
    }

    /** An identity without attributes. */
    public Identity(String subject, String method, boolean limited) {
        this(subject, method, limited, List.of(), List.of());
    }

    private static List<String> checked(List<String> values, String name) {
        if (values.size() > MAX_ATTRIBUTES) {
            throw new IllegalArgumentException(
                    name + " has " + values.size() + " entries; at most " + MAX_ATTRIBUTES + " are taken");
        }
        values.forEach(value -> requireText(value, name, MAX_LENGTH));
        return List.copyOf(values);
    }
}
