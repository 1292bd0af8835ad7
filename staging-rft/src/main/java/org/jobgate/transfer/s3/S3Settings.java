// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.s3;

import static java.util.Objects.requireNonNull;

import java.net.URI;

/**
 * Which store {@code s3:} is.
 *
 * @param endpoint {@code https://host[:port][/path]}; {@code http://} only where a site wants its objects and requests unencrypted.
 *     Buckets are named in the path
 * @param region that requests are signed for, e.g. {@code us-east-1}
 */
public record S3Settings(URI endpoint, String region) {

    public S3Settings {
        requireNonNull(endpoint, "endpoint is null");
        String scheme = String.valueOf(endpoint.getScheme());
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw new IllegalArgumentException("it must begin with https:// (or http://)");
        }
        if (endpoint.getHost() == null
                || endpoint.getRawUserInfo() != null
                || endpoint.getRawQuery() != null
                || endpoint.getRawFragment() != null) {
            throw new IllegalArgumentException("it must name a host, and no user, query or fragment");
        }
        if (!region.matches("[A-Za-z0-9-]{1,64}")) {
            throw new IllegalArgumentException("a region has letters, digits and hyphens only");
        }
    }

    /** What stands before the path of an object; it does not end with a slash. */
    String basePath() {
        String path = String.valueOf(endpoint.getRawPath());
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
