// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jobgate.job.JobDescription;
import org.jspecify.annotations.Nullable;

/** Input and output of a job that its description names by URL. */
final class RemoteStreams {

    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*", Pattern.DOTALL);

    private RemoteStreams() {}

    static boolean areIn(JobDescription description) {
        return Stream.of(description.stdin(), description.stdout(), description.stderr())
                .anyMatch(RemoteStreams::isUrl);
    }

    static boolean isUrl(@Nullable String path) {
        return path != null && URL.matcher(path).matches();
    }
}
