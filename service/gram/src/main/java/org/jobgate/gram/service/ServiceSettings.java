// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import org.jobgate.gram.multi.OtherFactory;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.gt4.query.QueryLimits;
import org.jobgate.limits.JobLimits;

/** The settings of the services that depend on the installation. */
public record ServiceSettings(
        FactoryFacts facts,
        JobLimits jobLimits,
        WaitPlaces waiting,
        Map<Generation, LifetimeRules> lifetimes,
        QueryLimits queries,
        BulkLimits bulk,
        List<OtherFactory> otherFactories) {

    public ServiceSettings {
        requireNonNull(facts, "facts is null");
        requireNonNull(jobLimits, "jobLimits is null");
        requireNonNull(waiting, "waiting is null");
        lifetimes = Map.copyOf(lifetimes);
        requireNonNull(queries, "queries is null");
        requireNonNull(bulk, "bulk is null");
        otherFactories = List.copyOf(otherFactories);
    }

    /** The rules of this generation. */
    LifetimeRules lifetimes(Generation generation) {
        return requireNonNull(lifetimes.get(generation), () -> "no lifetime rules of " + generation);
    }
}
