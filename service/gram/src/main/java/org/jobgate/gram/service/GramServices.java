// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jobgate.authz.Authorizer;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.WsrfFaults;
import org.jobgate.gram.jdd.JddParser;
import org.jobgate.gram.notification.CallbackPolicy;
import org.jobgate.gram.notification.Subscriptions;
import org.jobgate.gram.soap.SoapService;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.lifecycle.Jobs;
import org.jobgate.limits.JobLimits;

/** GRAM4's services of one generation, put together. */
public final class GramServices {

    private final Generation generation;
    private final WsrfFaults wsrfFaults;
    private final CreateManagedJob createManagedJob;
    private final FactoryProperties factoryProperties;
    private final JobProperties jobProperties;
    private final JobLifetime lifetime;
    private final SubscriptionOperations subscriptionOperations;

    public GramServices(
            Addresses addresses,
            FactoryFacts facts,
            JobLimits jobLimits,
            WaitLimits waitLimits,
            Jobs jobs,
            Authorizer authorizer,
            AccountVariables variables,
            Subscriptions subscriptions,
            CallbackPolicy callbacks,
            GramFaults gramFaults,
            Clock clock) {
        this.generation = addresses.generation();
        this.wsrfFaults = new WsrfFaults(generation, clock);
        Callers callers = new Callers(generation);
        Factories factories = new Factories(generation, jobs, wsrfFaults);
        this.createManagedJob = new CreateManagedJob(
                addresses,
                jobs,
                authorizer,
                callers,
                factories,
                new JddParser(jobLimits),
                variables,
                subscriptions,
                callbacks,
                wsrfFaults,
                clock);
        this.factoryProperties =
                new FactoryProperties(addresses, callers, factories, facts, wsrfFaults, clock.instant());
        this.jobProperties = new JobProperties(
                generation, jobs, callers, new Waiting(jobs, waitLimits, clock), wsrfFaults, gramFaults, clock);
        this.lifetime = new JobLifetime(generation, jobs, callers, wsrfFaults, clock);
        this.subscriptionOperations =
                new SubscriptionOperations(addresses, jobs, callers, subscriptions, callbacks, wsrfFaults);
    }

    /** Each service with all its operations. */
    public List<SoapService> all() {
        return List.of(factory(), job(), subscription());
    }

    private SoapService factory() {
        return new Dispatcher(
                Addresses.FACTORY,
                Map.of(
                        generation.job("createManagedJob"), createManagedJob,
                        generation.properties("GetResourceProperty"), factoryProperties,
                        generation.properties("GetMultipleResourceProperties"), factoryProperties));
    }

    private SoapService job() {
        return new Dispatcher(
                Addresses.JOB,
                Map.of(
                        generation.properties("GetResourceProperty"), jobProperties,
                        generation.properties("GetMultipleResourceProperties"), jobProperties,
                        generation.lifetime("Destroy"), lifetime::destroy,
                        generation.lifetime("SetTerminationTime"), lifetime::setTerminationTime,
                        generation.job("release"), lifetime::release,
                        generation.notification("Subscribe"), subscriptionOperations::subscribe));
    }

    private SoapService subscription() {
        return new Dispatcher(
                Addresses.SUBSCRIPTION, Map.of(generation.lifetime("Destroy"), subscriptionOperations::destroy));
    }
}
