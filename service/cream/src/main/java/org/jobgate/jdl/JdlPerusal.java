// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads which files are to be sent while the job runs. */
final class JdlPerusal {

    static final String ENABLE = "PerusalFileEnable";
    private static final String INTERVAL = "PerusalTimeInterval";
    private static final String TO = "PerusalFilesDestURI";
    private static final String LIST = "PerusalListFileURI";

    static final List<String> NAMES = List.of(ENABLE, INTERVAL, TO, LIST);

    /** Seconds between two slices where the text does not say. */
    private static final int DEFAULT_SECONDS = 5;

    private JdlPerusal() {}

    static Jdl.@Nullable Perusal read(JdlAttributes attributes) {
        if (!attributes.isTrue(ENABLE)) {
            return null;
        }
        Integer seconds = attributes.count(INTERVAL);
        String destination = attributes.mandatory(TO);
        String list = attributes.mandatory(LIST);
        if (!destination.startsWith("gsiftp://") && !destination.startsWith("https://")) {
            throw JdlFaults.invalid(
                    TO, destination, TO + ": wrong protocol (just gridFTP or https URIs are supported)");
        }
        if (!list.startsWith("gsiftp://")) {
            throw JdlFaults.invalid(LIST, list, LIST + ": wrong protocol (just gridFTP URIs are supported)");
        }
        return new Jdl.Perusal(
                seconds == null ? DEFAULT_SECONDS : seconds,
                SandboxUrl.parse(TO, destination),
                SandboxUrl.parse(LIST, list));
    }
}
