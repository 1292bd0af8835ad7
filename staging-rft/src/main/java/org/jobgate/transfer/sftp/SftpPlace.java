// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.sftp;

import java.net.URI;
import org.jobgate.files.FileNames;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferPassword;

/**
 * Where an {@code sftp://} URL points.
 *
 * @param user that it names; else the job's account
 * @param path decoded; one that began with {@code /~/} is relative, which servers take from the user's home
 */
record SftpPlace(String host, int port, String user, String path) {

    private static final int DEFAULT_PORT = 22;

    /** The same for an attempt: where the job has a password for the file, the user is that of the password. */
    static SftpPlace of(URI url, TransferContext context) throws TransferException {
        SftpPlace place = of(url, context.account());
        if (!(context.credential() instanceof TransferPassword password)) {
            return place;
        }
        if (url.getUserInfo() != null && !place.user().equals(password.userName())) {
            throw wrong(url, "it names another user than the password is of");
        }
        if (isOdd(password.userName())) {
            throw wrong(url, "the user's name holds blanks or control characters");
        }
        return new SftpPlace(place.host(), place.port(), password.userName(), place.path());
    }

    static SftpPlace of(URI url, String account) throws TransferException {
        String user = url.getUserInfo();
        if (user != null && (user.isEmpty() || user.indexOf(':') >= 0 || isOdd(user))) {
            throw wrong(url, "it may name a user, but hold no password");
        }
        String host = url.getHost();
        String path = url.getRawPath() == null ? null : FileNames.decoded(url.getRawPath());
        if (host == null || path == null || path.isEmpty() || url.getRawQuery() != null) {
            throw wrong(url, "it must name a host and a path");
        }
        if (!FileNames.isText(path)) {
            throw wrong(url, "its name is not UTF-8, and by sftp only such names are asked for");
        }
        if (path.indexOf('\0') >= 0) {
            throw wrong(url, "no file has such a name");
        }
        String plain = path.replaceFirst("^/+", "/");
        String whole = plain.startsWith("/~/") ? plain.substring(3) : plain;
        return new SftpPlace(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                url.getPort() < 0 ? DEFAULT_PORT : url.getPort(),
                user == null ? account : user,
                trimmed(whole));
    }

    private static boolean isOdd(String user) {
        return user.chars().anyMatch(c -> c <= ' ' || c == 0x7f);
    }

    private static String trimmed(String path) {
        String without = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return without.isEmpty() ? "." : without;
    }

    /** The user information is left out: it may hold a password. */
    private static TransferException wrong(URI url, String why) {
        return new TransferException(
                Kind.PERMANENT,
                "the URL of a file at " + url.getHost() + " cannot be used: " + why,
                "Correct the URL in the job; keys are taken from ~/.ssh of the job's account.");
    }

    /** For people. */
    String server() {
        return host + ":" + port;
    }

    /** The same file while it is unfinished: beside it, so that giving it its name moves no byte. */
    SftpPlace unfinished(String transfer) {
        int slash = path.lastIndexOf('/');
        return at(path.substring(0, slash + 1) + ".jobgate-" + transfer + ".part");
    }

    /** The directory above; itself at the top. */
    SftpPlace parent() {
        int slash = path.lastIndexOf('/');
        return at(slash > 0 ? path.substring(0, slash) : slash == 0 ? "/" : ".");
    }

    SftpPlace inside(String name) {
        return at(path.endsWith("/") ? path + name : path + "/" + name);
    }

    boolean isTop() {
        return path.equals("/") || path.equals(".");
    }

    private SftpPlace at(String other) {
        return new SftpPlace(host, port, user, other);
    }
}
