// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jobgate.gram.multi.OtherFactory;
import org.jobgate.gram.rendezvous.RendezvousLimits;
import org.jobgate.gram.service.BulkLimits;
import org.jobgate.gram.service.FactoryFacts;
import org.jobgate.gram.service.LifetimeRules;
import org.jobgate.gram.service.ServiceSettings;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.limits.Interlude;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;
import org.jobgate.xml.XmlLimits;

/**
 * What the GRAM4 door needs to know about its installation.
 *
 * @param xml how much XML one request may hold
 * @param subscriptionsPerJob subscriptions that one job may have
 * @param otherFactories the other gateways that are LRMs of this one
 */
public record GramSettings(
        FactoryFacts facts,
        JobLimits jobLimits,
        XmlLimits xml,
        WaitPlaces waiting,
        Map<Generation, LifetimeRules> lifetimes,
        QueryLimits queries,
        BulkLimits bulk,
        Limit subscriptionsPerJob,
        RendezvousLimits rendezvous,
        List<OtherFactory> otherFactories) {

    /** With the default rules for the lifetimes of GT 4.2's jobs, and the default limits of queries, bulk operations and rendezvous. */
    public GramSettings(
            FactoryFacts facts, JobLimits jobLimits, XmlLimits xml, WaitPlaces waiting, Limit subscriptionsPerJob) {
        this(
                facts,
                jobLimits,
                xml,
                waiting,
                LifetimeRules.defaults(),
                QueryLimits.defaults(),
                BulkLimits.defaults(),
                subscriptionsPerJob,
                RendezvousLimits.defaults(),
                List.of());
    }

    public GramSettings {
        requireNonNull(facts, "facts is null");
        requireNonNull(jobLimits, "jobLimits is null");
        requireNonNull(xml, "xml is null");
        requireNonNull(waiting, "waiting is null");
        lifetimes = Map.copyOf(lifetimes);
        requireNonNull(queries, "queries is null");
        requireNonNull(bulk, "bulk is null");
        requireNonNull(subscriptionsPerJob, "subscriptionsPerJob is null");
        requireNonNull(rendezvous, "rendezvous is null");
        otherFactories = List.copyOf(otherFactories);
    }

    /** The same with these rules for the lifetimes of jobs. */
    public GramSettings withLifetimes(Map<Generation, LifetimeRules> rules) {
        return new GramSettings(
                facts, jobLimits, xml, waiting, rules, queries, bulk, subscriptionsPerJob, rendezvous, otherFactories);
    }

    /** The same with these other gateways as LRMs of this one. */
    public GramSettings withOtherFactories(List<OtherFactory> others) {
        return new GramSettings(
                facts, jobLimits, xml, waiting, lifetimes, queries, bulk, subscriptionsPerJob, rendezvous, others);
    }

    ServiceSettings ofServices() {
        return new ServiceSettings(facts, jobLimits, waiting, lifetimes, queries, bulk, otherFactories);
    }

    /** Every default, for a gateway that is installed in this directory. */
    public static GramSettings defaults(String installation) {
        return new GramSettings(
                FactoryFacts.ofThisHost(installation),
                JobLimits.defaults(),
                XmlLimits.defaults(),
                new WaitPlaces(new Limit("limits.maxWaitingRequests", 1_000), Duration.ofSeconds(30), Interlude.none()),
                new Limit("callbacks.maxSubscriptionsPerJob", 8));
    }
}
