// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.net.URI;
import org.jobgate.files.FileNames;
import org.jobgate.gridftp.ServerAddress;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/**
 * Where a {@code gsiftp://} URL points.
 *
 * @param server by its host and port; 2811 if it names none
 * @param path decoded; {@code /~/x} is below the account's home directory
 */
record Place(ServerAddress server, String path) {

    static Place of(URI url) throws TransferException {
        String host = url.getHost();
        if (host == null
                || url.getUserInfo() != null
                || url.getRawPath() == null
                || url.getRawPath().isEmpty()) {
            throw wrong(url, "it must name a host and a path, and no user");
        }
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        String path = FileNames.decoded(url.getRawPath()).replaceFirst("^/+", "/");
        try {
            return new Place(
                    new ServerAddress(name, url.getPort() < 0 ? ServerAddress.DEFAULT_PORT : url.getPort()),
                    path.startsWith("/~") ? path.substring(1) : path);
        } catch (IllegalArgumentException e) {
            throw wrong(url, String.valueOf(e.getMessage()));
        }
    }

    private static TransferException wrong(URI url, String why) {
        return new TransferException(
                Kind.PERMANENT, "the URL " + url + " cannot be used: " + why, "Correct the URL in the job.");
    }

    /** The same file while it is unfinished: beside it, so that giving it its name moves no byte. */
    Place unfinished(String transfer) {
        return new Place(server, path + ".jobgate-" + transfer);
    }

    /** The directory above; itself at the top. */
    Place parent() {
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        int slash = trimmed.lastIndexOf('/');
        return new Place(server, slash <= 0 ? "/" : trimmed.substring(0, slash));
    }

    Place inside(String name) {
        return new Place(server, path.endsWith("/") ? path + name : path + "/" + name);
    }
}
