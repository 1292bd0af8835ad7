// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.server;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.jobgate.files.UrlText;
import org.jspecify.annotations.Nullable;

/**
 * A file server that shows a directory of this machine.
 *
 * @param lrm for whose jobs it is, in small letters; absent for those of all, and for files moved without a job
 * @param path of the directory here, absolute, without a slash at its end; empty for the root
 * @param url of the same directory at the server, without a slash at its end
 */
public record FileServer(@Nullable String lrm, String path, URI url) {

    public FileServer {
        lrm = lrm == null ? null : lrm.toLowerCase(Locale.ROOT);
        path = withoutSlash(requireNonNull(path, "path is null"));
        url = URI.create(withoutSlash(url.toString()));
        if (!path.isEmpty() && !path.startsWith("/")) {
            throw new IllegalArgumentException("the path " + path + " of a file server is not absolute");
        }
        if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawQuery() != null) {
            throw new IllegalArgumentException(
                    "the URL " + url + " of a file server must name a host, and no user or query");
        }
    }

    /**
     * Reads {@code [LRM:]PATH=URL}, e.g. {@code /home=gsiftp://ftp.example.org/export/home}.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static FileServer parse(String text) {
        int equals = text.indexOf('=');
        int colon = text.indexOf(':');
        if (equals < 0) {
            throw new IllegalArgumentException("'" + text + "' is not of the form [LRM:]PATH=URL");
        }
        boolean isOfLrm = colon >= 0 && colon < equals && colon < text.indexOf("/");
        return new FileServer(
                isOfLrm ? text.substring(0, colon) : null,
                text.substring(isOfLrm ? colon + 1 : 0, equals),
                URI.create(text.substring(equals + 1)));
    }

    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /** Whether it is for jobs of this LRM; absent for files moved without a job. */
    public boolean isFor(@Nullable String ofLrm) {
        return lrm == null || (ofLrm != null && lrm.equals(ofLrm.toLowerCase(Locale.ROOT)));
    }

    /** The URL of a file of this machine at the server; empty if the server does not show it. */
    public Optional<URI> through(URI file) {
        String raw = file.getRawPath();
        String here = file.getPath();
        boolean isInside = here.startsWith(path + "/") && !("/" + here + "/").contains("/../");
        // the escapes of the file's own name are kept: only the directory's name is exchanged
        String encoded = path.isEmpty()
                ? ""
                : URI.create(UrlText.encoded("file://" + path)).getRawPath();
        return isInside && raw.startsWith(encoded + "/")
                ? Optional.of(URI.create(url + raw.substring(encoded.length())))
                : Optional.empty();
    }

    /** The name of the server: entries with the same name share its load. */
    String name() {
        return url.getScheme().toLowerCase(Locale.ROOT) + "://"
                + url.getRawAuthority().toLowerCase(Locale.ROOT);
    }
}
