// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store;

import java.util.List;
import org.jobgate.job.Job;

/** Decides what is to change in a job, given how it stands. */
@FunctionalInterface
public interface JobUpdate {

    /** The steps to be written, in order; an empty list changes nothing. Each step's job must follow from the one before it. */
    List<Step> apply(Job current);
}
