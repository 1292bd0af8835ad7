// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jdl;

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

    private static void requirePath(String path) {
        if (!path.startsWith("/") || path.endsWith("/") || path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not an absolute path without a slash at its end: '" + path + "'");
        }
    }
}
