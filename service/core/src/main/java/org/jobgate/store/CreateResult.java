// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import org.jobgate.job.Job;

/** What became of a create. */
public sealed interface CreateResult {

    /** The job that the key now names. */
    Job job();

    /** It was stored. */
    record Created(Job job) implements CreateResult {}

    /** The key was there already with an equal description: nothing was stored. */
    record Existing(Job job) implements CreateResult {}

    /** The key was there already with another description, LRM or account: nothing was stored. */
    record Conflict(Job job) implements CreateResult {}
}
