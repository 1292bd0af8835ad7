// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.authz;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jobgate.job.Later;

/** Takes nothing new while the gateway's machine is overloaded or the gateway has too many live jobs. */
public final class ServerLoad implements DecisionPoint {

    private final double maxLoad;
    private final long maxJobs;
    private final DoubleSupplier load;
    private final LongSupplier jobs;

    /**
     * A limit on what the gateway carries.
     *
     * @param maxLoad the highest load average for each processor, e.g. 2.0; 0 for none
     * @param maxJobs the most live jobs of all; 0 for none
     * @param load the load average for each processor now; below 0 if it is not known
     */
    public ServerLoad(double maxLoad, long maxJobs, DoubleSupplier load, LongSupplier jobs) {
        this.maxLoad = maxLoad;
        this.maxJobs = maxJobs;
        this.load = requireNonNull(load, "load is null");
        this.jobs = requireNonNull(jobs, "jobs is null");
    }

    @Override
    public PointDecision judge(AuthzRequest request) {
        double now = load.getAsDouble();
        if (maxLoad > 0 && now > maxLoad) {
            return new PointDecision.Deny(
                    String.format(
                            Locale.ROOT,
                            "The gateway is overloaded: load %.2f for each processor, limit %.2f. Try again later",
                            now,
                            maxLoad),
                    Later.whenThereIsRoom(Later.Room.SERVICE));
        }
        long live = jobs.getAsLong();
        if (maxJobs > 0 && live >= maxJobs) {
            return new PointDecision.Deny(
                    "The gateway has " + live + " live jobs, limit " + maxJobs + ". Try again later",
                    Later.whenThereIsRoom(Later.Room.SERVICE));
        }
        return new PointDecision.Abstain(
                String.format(Locale.ROOT, "load %.2f for each processor, %d live jobs", now, live));
    }
}
