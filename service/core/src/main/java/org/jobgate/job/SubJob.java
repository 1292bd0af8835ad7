// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of the jobs that a multi-job consists of.
 *
 * @param lrm the name of the LRM that it is for
 * @param account the local account that it runs as, one of those that its owner may use
 * @param name what the other jobs of a flow call it; absent where none waits for it
 * @param after what it waits for before it begins; empty where it begins with the multi-job
 */
public record SubJob(
        String lrm,
        String account,
        JobDescription description,
        @Nullable String name,
        List<After> after) {

    /** So many characters a name of a job in a flow has at the most. */
    public static final int LONGEST_NAME = 64;

    public SubJob {
        Text.requireText(lrm, "lrm", 64);
        Text.requireText(account, "account", 256);
        requireNonNull(description, "description is null");
        if (description.isMulti()) {
            throw new IllegalArgumentException("a multi-job cannot be part of a multi-job");
        }
        if (!description.after().isEmpty()) {
            throw new IllegalArgumentException("what a part of a multi-job waits for is said beside its description");
        }
        if (name != null) {
            Text.requireText(name, "the name of a job of a flow", LONGEST_NAME);
        }
        after = List.copyOf(after);
    }

    /** One that begins with the multi-job. */
    public SubJob(String lrm, String account, JobDescription description) {
        this(lrm, account, description, null, List.of());
    }

    /** The same with another description. */
    public SubJob with(JobDescription other) {
        return new SubJob(lrm, account, other, name, after);
    }
}
