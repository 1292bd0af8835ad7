// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which parts of a {@link JobDescription} go together. */
final class DescriptionRules {

    private DescriptionRules() {}

    /**
     * Refuses parts that no job can have at once.
     *
     * @throws IllegalArgumentException naming the part and the rule
     */
    static void refuseParts(
            String executable,
            TransferList transfers,
            List<SubJob> subJobs,
            @Nullable Resources resources,
            @Nullable ChirpAccess chirp,
            List<After> after) {
        if (executable.isEmpty() && subJobs.isEmpty() && transfers.stageIn().isEmpty()) {
            throw new IllegalArgumentException("executable is empty");
        }
        if (!executable.isEmpty() && !subJobs.isEmpty()) {
            throw new IllegalArgumentException("a multi-job has no executable of its own: " + executable);
        }
        if (resources != null && !subJobs.isEmpty()) {
            throw new IllegalArgumentException("a multi-job asks for no resources: its sub-jobs do");
        }
        if (!after.isEmpty() && !subJobs.isEmpty()) {
            throw new IllegalArgumentException("a multi-job waits for no other job: its sub-jobs do");
        }
        if (chirp != null && executable.isEmpty()) {
            throw new IllegalArgumentException("chirp is for jobs that run a program");
        }
    }

    /**
     * Refuses a text that {@code exec} would take only the beginning of.
     *
     * @param name of the part, for the message
     * @throws IllegalArgumentException if the text holds a NUL character
     */
    static void refuseNul(@Nullable String text, String name) {
        if (text != null && text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(name + " holds a NUL character");
        }
    }
}
