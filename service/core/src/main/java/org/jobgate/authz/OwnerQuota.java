// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.util.function.ToLongFunction;
import org.jobgate.job.Later;

/** Refuses new jobs of an owner who has the greatest number of live jobs that is allowed. */
public final class OwnerQuota implements DecisionPoint {

    private final long most;
    private final ToLongFunction<String> liveJobs;

    /** @param liveJobs how many live jobs a subject owns */
    public OwnerQuota(long most, ToLongFunction<String> liveJobs) {
        this.most = most;
        this.liveJobs = requireNonNull(liveJobs, "liveJobs is null");
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        long live = liveJobs.applyAsLong(request.identity().subject());
        return live >= most
                ? new PointDecision.Deny(
                        "You have " + live + " live jobs here, limit " + most + ". Wait until some have ended",
                        Later.whenThereIsRoom(Later.Room.OWNER))
                : new PointDecision.Abstain(live + " of " + most + " live jobs");
    }
}
