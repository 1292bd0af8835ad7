// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lifecycle;

import java.util.Map;
import java.util.Optional;
import org.jobgate.job.Fault;
import org.jobgate.job.Job;

/** Gives a job the credentials that were delegated for it, as the lifecycle sees it. */
public interface JobCredentials {

    /** Writes the job's credentials where the job finds them; answers the environment variables that name them. */
    Map<String, String> place(Job job);

    /** Why the job must wait for a renewal before it may go on, if it must. */
    Optional<Fault> obstacle(Job job);

    /** Removes what {@link #place} wrote. Repeating it does no harm. */
    void remove(Job job);
}
