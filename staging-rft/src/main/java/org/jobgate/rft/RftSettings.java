// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlLimits;

/**
 * How the door is to be.
 *
 * @param requests how many requests may exist, live or over
 * @param requestsPerOwner the same of one subject
 * @param files that one request may name
 * @param subscriptions to one request
 * @param longestLifetime no request is kept longer than this from when its end was set; one that asks for no end gets this one
 * @param xml how much XML one request may hold
 * @param waiting places for requests that wait for a change; shared with the other doors
 */
public record RftSettings(
        Limit requests,
        Limit requestsPerOwner,
        Limit files,
        Limit subscriptions,
        Duration longestLifetime,
        XmlLimits xml,
        QueryLimits queries,
        WaitPlaces waiting) {

    public RftSettings {
        requireNonNull(requests, "requests is null");
        requireNonNull(requestsPerOwner, "requestsPerOwner is null");
        requireNonNull(files, "files is null");
        requireNonNull(subscriptions, "subscriptions is null");
        requireNonNull(longestLifetime, "longestLifetime is null");
        requireNonNull(xml, "xml is null");
        requireNonNull(queries, "queries is null");
        requireNonNull(waiting, "waiting is null");
    }

    public static RftSettings defaults() {
        return new RftSettings(
                new Limit("staging.maxRequests", 10_000),
                new Limit("staging.maxRequestsPerOwner", 1_000),
                new Limit("staging.maxRequestFiles", 10_000),
                new Limit("callbacks.maxSubscriptionsPerJob", 8),
                Duration.ofDays(30),
                XmlLimits.defaults(),
                QueryLimits.defaults(),
                new WaitPlaces(
                        new Limit("limits.maxWaitingRequests", 1_000), Duration.ofSeconds(30), Interlude.none()));
    }
}
