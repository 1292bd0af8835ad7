// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of one queue of a computing element, {@code host:port/cream-LRMS-QUEUE}.
 *
 * @param port 8443 where the text names none
 * @param lrm the batch system, e.g. {@code slurm}; it holds no hyphen
 * @param queue it may hold hyphens
 */
public record CeId(String host, int port, String lrm, String queue) {

    /** The port of CREAM where none is named. */
    public static final int DEFAULT_PORT = 8443;

    private static final Pattern FORM = Pattern.compile(
            "([A-Za-z0-9][A-Za-z0-9.-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::([0-9]{1,5}))?/cream-([A-Za-z0-9_.]{1,64})-([A-Za-z0-9_.@-]{1,128})");

    /** What the text says, if it is one. */
    public static Optional<CeId> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        int port = form.group(2) == null ? DEFAULT_PORT : Integer.parseInt(form.group(2));
        return port < 1 || port > 65_535
                ? Optional.empty()
                : Optional.of(new CeId(form.group(1), port, form.group(3), form.group(4)));
    }

    @Override
    public String toString() {
        return host + ":" + port + "/cream-" + lrm + "-" + queue;
    }
}
