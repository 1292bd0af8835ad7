// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import org.jobgate.limits.JobLimits;

/** What the services are told of their installation. */
public record ServiceSettings(
        FactoryFacts facts, JobLimits jobLimits, WaitLimits waiting, LifetimeRules lifetimes, QueryLimits queries) {

    public ServiceSettings {
        requireNonNull(facts, "facts is null");
        requireNonNull(jobLimits, "jobLimits is null");
        requireNonNull(waiting, "waiting is null");
        requireNonNull(lifetimes, "lifetimes is null");
        requireNonNull(queries, "queries is null");
    }
}
