// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.lrm;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the gateway stands with one LRM, for the administrator.
 *
 * @param jobs that wait or run in it; absent where they are not counted because there is no limit
 * @param backOffs the accounts whose jobs are left alone at present because the LRM gave no clear answer
 */
public record LrmStatus(
        String name,
        LrmHealth health,
        LrmThrottle throttle,
        @Nullable Integer jobs,
        List<BackOff> backOffs,
        LrmCapabilities capabilities) {

    public LrmStatus {
        requireNonNull(name, "name is null");
        backOffs = List.copyOf(backOffs);
    }

    /**
     * An account whose jobs wait until the LRM is asked again.
     *
     * @param times how often in a row there was no clear answer
     * @param until when it is asked again
     */
    public record BackOff(String account, Instant since, String because, int times, Instant until) {}
}
