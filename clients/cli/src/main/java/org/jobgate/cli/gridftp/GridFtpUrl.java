// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.text.Printable;

/**
 * Where a file lies.
 *
 * @param path its bytes, a character for each, as commands take them
 */
record GridFtpUrl(String host, int port, String path) {
    private static final String SCHEME = "gsiftp";
    private static final int PORT_DEFAULT = 2811;
    private static final int PORT_MAX = 65_535;

    /**
     * Reads one.
     *
     * @param url {@code gsiftp://HOST[:PORT]/PATH}
     * @throws CommandException it is none, or of a name that no command can hold
     */
    static GridFtpUrl of(String url) throws CommandException {
        URI parsed;
        try {
            parsed = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitStatus.CONTACT, "'" + Printable.of(url) + "' is no URL.", e);
        }
        String host = parsed.getHost();
        String raw = parsed.getRawPath();
        if (!SCHEME.equals(parsed.getScheme()) || host == null || raw == null || raw.length() < 2) {
            throw new CommandException(
                    ExitStatus.CONTACT, "'" + Printable.of(url) + "' does not name a file as gsiftp://HOST/PATH does.");
        }
        int port = parsed.getPort() < 0 ? PORT_DEFAULT : parsed.getPort();
        if (port == 0 || port > PORT_MAX) {
            throw new CommandException(
                    ExitStatus.CONTACT, "'" + Printable.of(url) + "' names port " + port + ", which cannot be.");
        }
        return new GridFtpUrl(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port, decoded(url, raw));
    }

    private static String decoded(String url, String raw) throws CommandException {
        byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int b = bytes[i] & 0xff;
            if (b == '%') {
                // URI has seen that two digits follow
                b = Integer.parseInt(new String(bytes, i + 1, 2, StandardCharsets.US_ASCII), 16);
                i += 2;
            }
            if (b == 0 || b == '\r' || b == '\n') {
                throw new CommandException(
                        ExitStatus.USAGE, "A GridFTP server cannot be told the name in '" + Printable.of(url) + "'.");
            }
            out.append((char) b);
        }
        return out.toString();
    }
}
