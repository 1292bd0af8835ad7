// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jobgate.files.FileNames;
import org.jobgate.files.UrlText;

/** URLs of files, as jobs write them. */
public final class Urls {

    private Urls() {}

    /**
     * The URL that a text says. What no URL may hold (blanks, {@code |}, letters beyond ASCII) is allowed and percent-encoded, letters as
     * UTF-8.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static URI parse(String text) {
        try {
            URI url = new URI(UrlText.encoded(text));
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
        // scp: and sftp: are one server
        String scheme = scheme(url).equals("scp") ? "sftp" : scheme(url);
        return authority == null ? "" : scheme + "://" + authority.toLowerCase(Locale.ROOT);
    }

    /** The last part of a URL's path, without a slash that ends it. */
    static String name(URI url) {
        String path = url.getRawPath().replaceFirst("/$", "");
        return FileNames.decoded(path.substring(path.lastIndexOf('/') + 1));
    }

    /** The URL of the file whose name has this ending more; a query stays behind the name. */
    static URI named(URI file, String ending) {
        String text = file.toString();
        int query = text.indexOf('?');
        int end = query < 0 ? text.length() : query;
        return URI.create(text.substring(0, end) + ending + text.substring(end));
    }

    static URI inside(URI directory, String name, boolean isDirectory) {
        String path = directory.getRawPath() + UrlText.ofName(name) + (isDirectory ? "/" : "");
        String authority = directory.getRawAuthority();
        return URI.create(directory.getScheme() + "://" + (authority == null ? "" : authority) + path);
    }
}
