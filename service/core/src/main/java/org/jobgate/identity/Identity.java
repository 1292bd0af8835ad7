// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.identity;

import static org.jobgate.job.Text.requireText;

import org.jobgate.job.Text;

/**
 * Who a caller is, as proven by what he presented.
 *
 * @param subject the distinguished name of the end entity in slash form, e.g. {@code /O=Grid/CN=Alice}; proxies are resolved to it
 * @param method how it was proven, e.g. {@code tls}
 * @param limited whether it was proven by a limited proxy, which may read but not start jobs
 */
public record Identity(String subject, String method, boolean limited) {

    /** The servlet request attribute under which the container leaves the caller's identity; absent for an anonymous caller. */
    public static final String REQUEST_ATTRIBUTE = "org.jobgate.identity";

    public Identity {
        requireText(subject, "subject", 1024);
        Text.requireText(method, "method", 64);
    }
}
