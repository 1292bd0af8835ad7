// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jobgate.files.UrlText;

/** A URL of a file to be moved: of this machine without a host, of another one with it (facts/gram4.md section 2.3). */
final class StagingUrl {

    private StagingUrl() {}

    /** The URL with each run of slashes in its path made one; a wrong one is refused, naming the element. */
    static String checked(String element, String url) {
        URI uri;
        try {
            uri = new URI(UrlText.encoded(url));
        } catch (URISyntaxException e) {
            throw JddFaults.invalid(element, url, "it must be a URL: " + e.getReason());
        }
        String scheme = uri.getScheme();
        if (scheme == null || uri.isOpaque()) {
            throw JddFaults.invalid(element, url, "it must be a URL as gsiftp://host/path or file:///path");
        }
        boolean here = scheme.toLowerCase(Locale.ROOT).equals("file");
        String authority = uri.getRawAuthority();
        if (here && authority != null) {
            throw JddFaults.invalid(element, url, "a file: URL must not name a host: write file:///path");
        }
        if (!here && (authority == null || authority.isEmpty())) {
            throw JddFaults.invalid(element, url, "it must name a host: " + scheme + "://host/path");
        }
        int path = url.indexOf(':') + 1 + (url.startsWith("//", url.indexOf(':') + 1) ? 2 : 0);
        int start = here ? path : endOfAuthority(url, path);
        return url.substring(0, start) + url.substring(start).replaceAll("/{2,}", "/");
    }

    private static int endOfAuthority(String url, int from) {
        int end = from;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        return end;
    }
}
