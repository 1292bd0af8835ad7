// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What was seen when something failed.
 *
 * @param command what was tried, e.g. {@code fork submit}
 * @param exitCode the command's exit code, where it had one
 * @param output the head of what it said, at most {@value #OUTPUT_LIMIT} characters
 */
public record Evidence(String command, @Nullable Integer exitCode, String output) {

    public static final int OUTPUT_LIMIT = 2048;

    public Evidence {
        requireNonNull(command, "command is null");
        requireNonNull(output, "output is null");
        if (output.length() > OUTPUT_LIMIT) {
            output = output.substring(0, OUTPUT_LIMIT);
        }
    }
}
