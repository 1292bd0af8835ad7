// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.job.ResourceUse;
import org.jspecify.annotations.Nullable;

/**
 * What an LRM's accounting says of a job that is over.
 *
 * @param wall from its start to its end; bounded as the times in {@link ResourceUse} are
 */
public record LrmUse(ResourceUse used, @Nullable Duration wall) {

    public LrmUse {
        requireNonNull(used, "used is null");
        wall = ResourceUse.bounded(wall);
    }
}
