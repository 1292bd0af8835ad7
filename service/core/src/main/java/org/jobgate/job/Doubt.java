// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/** That we do not know how a job is at present: since when, and why. The job's state is the last one that was known. */
public record Doubt(Instant since, String because) {

    public Doubt {
        requireNonNull(since, "since is null");
        requireNonNull(because, "because is null");
    }
}
