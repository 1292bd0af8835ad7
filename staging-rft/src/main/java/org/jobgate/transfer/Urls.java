// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** URLs of files, as jobs write them. */
public final class Urls {

    private Urls() {}

    /**
     * The URL that a text says; a space in it is allowed.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static URI parse(String text) {
        try {
            URI url = new URI(text.replace(" ", "%20"));
            if (url.getScheme() == null
                    || url.isOpaque()
                    || url.getRawPath() == null
                    || url.getRawPath().isEmpty()) {
                throw new IllegalArgumentException(
                        "it must be a URL with a path, as https://host/path or file:///path");
            }
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("it is not a URL: " + e.getReason(), e);
        }
    }

    public static String scheme(URI url) {
        return String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    }

    /** The server that a URL names, as it is counted by; empty for a file of this machine. */
    static String server(URI url) {
        String authority = url.getRawAuthority();
        return authority == null ? "" : scheme(url) + "://" + authority.toLowerCase(Locale.ROOT);
    }

    static URI inside(URI directory, String name, boolean isDirectory) {
        try {
            String encoded = new URI(null, null, "/" + name, null).getRawPath().substring(1);
            String path = directory.getRawPath() + encoded + (isDirectory ? "/" : "");
            String authority = directory.getRawAuthority();
            return URI.create(directory.getScheme() + "://" + (authority == null ? "" : authority) + path);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("no URL can be made of the name '" + name + "'", e);
        }
    }
}
