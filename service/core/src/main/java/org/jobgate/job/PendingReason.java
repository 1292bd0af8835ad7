// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * Why a job does not go on, or why we do not know how it is at present: since when, and the reason. The LRM's own word for why it
 * holds a job or lets it wait is stored with the job; what stands between us and the LRM is only true for the moment. The job's
 * state is the last one that was known.
 */
public record PendingReason(Instant since, String because) {

    public PendingReason {
        requireNonNull(since, "since is null");
        requireNonNull(because, "because is null");
    }
}
