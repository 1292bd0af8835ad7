// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import org.jobgate.access.Access;
import org.jobgate.access.Jobs;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.language.JobLanguages;
import org.jobgate.notify.CallbackPolicy;

/**
 * What the services of both generations work with.
 *
 * @param variables what the variables of job descriptions stand for
 * @param languages others than GRAM4's own, in which a job can be described among its extensions
 */
public record GramContext(
        Jobs jobs,
        Access access,
        AccountVariables variables,
        JobLanguages languages,
        Subscriptions subscriptions,
        CallbackPolicy callbacks,
        Rendezvouses rendezvouses,
        Clock clock) {

    public GramContext {
        requireNonNull(jobs, "jobs is null");
        requireNonNull(access, "access is null");
        requireNonNull(variables, "variables is null");
        requireNonNull(languages, "languages is null");
        requireNonNull(subscriptions, "subscriptions is null");
        requireNonNull(callbacks, "callbacks is null");
        requireNonNull(rendezvouses, "rendezvouses is null");
        requireNonNull(clock, "clock is null");
    }
}
