// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.access;

import java.util.Optional;
import org.jobgate.job.JobId;

/** Keeps on record what administrators do, for the site's audit. */
@FunctionalInterface
public interface AdministratorActs {

    /** For a gateway that keeps no records. */
    AdministratorActs NONE = (who, what, job) -> {};

    /**
     * Records it; waits until it is on disk, but not long, and never throws because it is not.
     *
     * @param who has done it
     * @param what was asked for
     * @param job that it was done to; empty where it was none
     */
    void record(String who, String what, Optional<JobId> job);
}
