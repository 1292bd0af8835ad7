// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jobgate.gram.notification.NotifierSettings;
import org.jobgate.gram.service.FactoryFacts;
import org.jobgate.gram.service.LifetimeRules;
import org.jobgate.gram.service.QueryLimits;
import org.jobgate.gram.service.ServiceSettings;
import org.jobgate.gram.service.WaitLimits;
import org.jobgate.gram.soap.SoapLimits;
import org.jobgate.limits.JobLimits;
import org.jobgate.limits.Limit;

/**
 * What the GRAM4 door needs to know about its installation.
 *
 * @param publicBaseUrl what the services' addresses begin with as clients see them, e.g.
 *     {@code https://gateway.example.org:8443/wsrf/services}; without a slash at the end
 */
public record GramSettings(
        String publicBaseUrl,
        FactoryFacts facts,
        JobLimits jobLimits,
        SoapLimits soapLimits,
        WaitLimits waiting,
        LifetimeRules lifetimes,
        NotifierSettings notifier) {

    /** With the default rules for the lifetimes of GT 4.2's jobs. */
    public GramSettings(
            String publicBaseUrl,
            FactoryFacts facts,
            JobLimits jobLimits,
            SoapLimits soapLimits,
            WaitLimits waiting,
            NotifierSettings notifier) {
        this(publicBaseUrl, facts, jobLimits, soapLimits, waiting, LifetimeRules.defaults(), notifier);
    }

    public GramSettings {
        requireNonNull(publicBaseUrl, "publicBaseUrl is null");
        requireNonNull(facts, "facts is null");
        requireNonNull(jobLimits, "jobLimits is null");
        requireNonNull(soapLimits, "soapLimits is null");
        requireNonNull(waiting, "waiting is null");
        requireNonNull(lifetimes, "lifetimes is null");
        requireNonNull(notifier, "notifier is null");
        if (publicBaseUrl.endsWith("/")) {
            throw new IllegalArgumentException("publicBaseUrl ends with a slash: " + publicBaseUrl);
        }
    }

    ServiceSettings ofServices() {
        return new ServiceSettings(facts, jobLimits, waiting, lifetimes, QueryLimits.defaults());
    }

    /** Every default, for a gateway at this address and installed in this directory. */
    public static GramSettings defaults(String publicBaseUrl, String installation) {
        return new GramSettings(
                publicBaseUrl,
                FactoryFacts.ofThisHost(installation),
                JobLimits.defaults(),
                SoapLimits.defaults(),
                new WaitLimits(new Limit("limits.maxWaitingRequests", 1_000), Duration.ofSeconds(30)),
                NotifierSettings.defaults());
    }
}
