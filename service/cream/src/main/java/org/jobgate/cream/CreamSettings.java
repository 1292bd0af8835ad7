// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlLimits;

/**
 * How the door of CREAM is to be.
 *
 * @param version of this service, as it is told to clients
 * @param requiresDelegation whether each job must name a delegated credential, as with CREAM
 * @param longestLease from now; who asks for more gets this
 * @param administrators the subjects who may close this door to new jobs, and see what is shown to administrators
 * @param keep how long a job is kept in a state before it is purged; states that are not named are kept by the rules of the service
 * @param listedJobs jobs that one answer may hold
 * @param eventsAtOnce events that one answer may hold
 * @param leasesPerOwner leases that one owner may have
 * @param jobs what one job may ask for, and how many one request may name
 */
public record CreamSettings(
        String version,
        boolean requiresDelegation,
        Duration longestLease,
        Set<String> administrators,
        Map<String, Duration> keep,
        Limit listedJobs,
        Limit eventsAtOnce,
        Limit leasesPerOwner,
        JobLimits jobs,
        XmlLimits xml) {

    public CreamSettings {
        requireNonNull(version, "version is null");
        requireNonNull(longestLease, "longestLease is null");
        administrators = Set.copyOf(administrators);
        keep = Map.copyOf(keep);
        for (String state : keep.keySet()) {
            if (CreamState.of(state).isEmpty()) {
                throw new IllegalArgumentException(state + " is no state of CREAM");
            }
        }
    }

    /** Those of CREAM where it has any. */
    public static CreamSettings defaults(String version) {
        Duration days = Duration.ofDays(10);
        return new CreamSettings(
                version,
                true,
                Duration.ofHours(10),
                Set.of(),
                Map.of(
                        "ABORTED", days,
                        "CANCELLED", days,
                        "DONE-OK", days,
                        "DONE-FAILED", days,
                        "REGISTERED", Duration.ofDays(2)),
                new Limit("cream.maxListedJobs", 100_000),
                new Limit("cream.maxEvents", 10_000),
                new Limit("cream.maxLeasesPerOwner", 1_000),
                JobLimits.defaults(),
                XmlLimits.defaults());
    }
}
