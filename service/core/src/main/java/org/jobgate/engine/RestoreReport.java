// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.util.List;
import java.util.Map;
import org.jobgate.job.JobId;

/**
 * What a restored gateway has found out about its jobs.
 *
 * @param takenUp jobs of the backup that their LRMs know; they go on from how they are there
 * @param notGiven how many live jobs of the backup had not been given to an LRM, as far as is known, and their LRMs do not know them: they
 *     are given to them now
 * @param unknown jobs of the backup that had been given to an LRM which does not know them any more: how they ended cannot be known
 * @param unasked LRMs and accounts that gave no clear answer yet, with why; they are asked again
 * @param left jobs that the LRMs have and the backup does not
 * @param moreLeft how many more of those there are of which no more is known
 */
public record RestoreReport(
        List<JobId> takenUp,
        long notGiven,
        List<JobId> unknown,
        Map<String, String> unasked,
        List<LeftJob> left,
        long moreLeft) {

    public RestoreReport {
        takenUp = List.copyOf(takenUp);
        unknown = List.copyOf(unknown);
        unasked = Map.copyOf(unasked);
        left = List.copyOf(left);
    }
}
