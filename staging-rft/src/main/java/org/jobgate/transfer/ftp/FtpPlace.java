// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import java.net.URI;
import org.jobgate.files.FileNames;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;

/**
 * Where an {@code ftp://} URL points.
 *
 * @param path decoded, absolute, without control characters, so that no other command can be put behind it
 */
record FtpPlace(String host, int port, String path) {

    private static final int DEFAULT_PORT = 21;

    static FtpPlace of(URI url) throws TransferException {
        String host = url.getHost();
        String path = url.getRawPath() == null ? null : FileNames.decoded(url.getRawPath());
        if (host == null || url.getUserInfo() != null || url.getRawQuery() != null || path == null || path.isEmpty()) {
            throw wrong(url, "it must name a host and a path, and no user");
        }
        if (!FileNames.isText(path)) {
            throw wrong(url, "its name is not UTF-8, and by ftp only such names are asked for");
        }
        if (path.chars().anyMatch(Character::isISOControl)) {
            throw wrong(url, "there are control characters in it");
        }
        if (path.contains(";type=")) {
            throw wrong(url, "files are always moved as they are; leave ;type= out");
        }
        String plain = path.replaceFirst("^/+", "/");
        return new FtpPlace(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                url.getPort() < 0 ? DEFAULT_PORT : url.getPort(),
                plain.length() > 1 && plain.endsWith("/") ? plain.substring(0, plain.length() - 1) : plain);
    }

    private static TransferException wrong(URI url, String why) {
        return new TransferException(
                Kind.PERMANENT,
                "the URL of a file at " + url.getHost() + " cannot be used: " + why,
                "Correct the URL in the job.");
    }

    /** For people. */
    String server() {
        return host + ":" + port;
    }

    /** The same file while it is unfinished: beside it, so that giving it its name moves no byte. */
    FtpPlace unfinished(String transfer) {
        int slash = path.lastIndexOf('/');
        return at(path.substring(0, slash + 1) + ".jobgate-" + transfer + ".part");
    }

    /** The directory above; itself at the top. */
    FtpPlace parent() {
        int slash = path.lastIndexOf('/');
        return at(slash > 0 ? path.substring(0, slash) : "/");
    }

    /** @throws IllegalArgumentException for a name that cannot be one */
    FtpPlace inside(String name) {
        if (name.indexOf('/') >= 0 || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("not the name of an entry");
        }
        return at(isTop() ? path + name : path + "/" + name);
    }

    boolean isTop() {
        return path.equals("/");
    }

    private FtpPlace at(String other) {
        return new FtpPlace(host, port, other);
    }
}
