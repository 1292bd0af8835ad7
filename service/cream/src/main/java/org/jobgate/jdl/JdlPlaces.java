// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

import org.jobgate.files.UrlText;

/**
 * Where one job's files are on the gateway's site: absolute paths without a slash at the end, which the job's account can read and write.
 *
 * @param work the job's working directory; it is made before the job and removed after it
 * @param input where the client uploads the files of the InputSandbox that it has itself (CREAMInputSandboxURI)
 * @param output where files go that the client fetches itself (CREAMOutputSandboxURI)
 */
public record JdlPlaces(String work, String input, String output) {

    public JdlPlaces {
        requirePath(work);
        requirePath(input);
        requirePath(output);
    }

    /** The URL of the working directory, with a slash at the end, as it stands in the transfers of a job that is described for these places. */
    public String workUrl() {
        return url(work + "/");
    }

    /** The URL of a file of this machine, each name with what may not stand in a URL encoded. */
    static String url(String path) {
        StringBuilder url = new StringBuilder("file://");
        for (String part : path.substring(1).split("/", -1)) {
            url.append('/').append(UrlText.ofName(part));
        }
        return url.toString();
    }

    private static void requirePath(String path) {
        if (!path.startsWith("/") || path.endsWith("/") || path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not an absolute path without a slash at its end: '" + path + "'");
        }
    }
}
