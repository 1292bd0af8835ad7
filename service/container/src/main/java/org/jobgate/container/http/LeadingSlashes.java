// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/**
 * Takes two slashes at the beginning of a path for one, as the command line of CREAM sends them ({@code //ce-cream/services/CREAM2}). All other empty parts of
 * paths are refused: such an address could be read as another path.
 */
final class LeadingSlashes implements HttpConfiguration.Customizer {

    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
        HttpURI uri = request.getHttpURI();
        if (!uri.hasViolation(UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT)) {
            return request;
        }
        String path = uri.getPath();
        if (path == null || !path.startsWith("//") || path.indexOf("//", 1) >= 0) {
            throw new HttpException.RuntimeException(400, "Ambiguous URI empty segment");
        }
        return Request.serveAs(request, HttpURI.build(uri, path.substring(1), uri.getParam(), uri.getQuery()));
    }
}
