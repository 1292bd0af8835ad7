// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import java.util.HashMap;
import java.util.Map;
import javax.xml.namespace.QName;
import org.jobgate.access.OwnedKind;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.query.Queries;
import org.jobgate.gt4.subscription.SubscriptionOperations;
import org.jobgate.soap.SoapService;

/** GRAM4's services of one generation, put together. */
final class GenerationServices {

    private final Generation generation;
    private final CreateManagedJob createManagedJob;
    private final CreateManagedJobs createManagedJobs;
    private final ListJobs listJobs;
    private final FactoryProperties factoryProperties;
    private final JobProperties jobProperties;
    private final JobProperties multiJobProperties;
    private final JobLifetime lifetime;
    private final RendezvousOperations rendezvous;
    private final ProducerOperations producerOperations;
    private final SubscriptionOperations subscriptionOperations;

    GenerationServices(GramContext context, Gt4Context gt4, ServiceSettings settings, Waiting waiting) {
        this.generation = gt4.generation();
        LifetimeRules lifetimes = settings.lifetimes(generation);
        Factories factories = new Factories(context.jobs(), gt4);
        JobRequests requests = new JobRequests(context, gt4, lifetimes, settings);
        JobSubmissions submissions = new JobSubmissions(context, lifetimes.keptAfterProcessing());
        this.createManagedJob = new CreateManagedJob(context, gt4, factories, requests, submissions);
        this.createManagedJobs = new CreateManagedJobs(
                context, gt4, factories, requests, submissions, settings.bulk().created());
        this.listJobs = new ListJobs(context, gt4, settings.bulk().listed());
        Queries queries = new Queries(gt4.generation(), gt4.wsrf(), settings.queries());
        this.factoryProperties = new FactoryProperties(
                context.access(),
                gt4,
                factories,
                settings,
                queries,
                context.clock().instant());
        this.rendezvous = new RendezvousOperations(context, gt4);
        this.jobProperties = new JobProperties(context, gt4, waiting, queries, rendezvous, false);
        this.multiJobProperties = new JobProperties(context, gt4, waiting, queries, rendezvous, true);
        this.lifetime = new JobLifetime(context, gt4, lifetimes);
        this.producerOperations = new ProducerOperations(context, gt4, rendezvous);
        this.subscriptionOperations = new SubscriptionOperations(
                context.subscriptions(),
                generation,
                call -> context.access().caller(call.identity()).query(OwnedKind.JOBS),
                gt4.wsrf(),
                about -> gt4.wsrf().unknownResource(about, "subscription of that key"),
                context.clock());
    }

    /** Each service with all its operations, by its name. */
    Map<String, SoapService> all() {
        return Map.of(
                Addresses.FACTORY, factory(),
                Addresses.JOB, job(Addresses.JOB, jobProperties),
                Addresses.MULTI_JOB, job(Addresses.MULTI_JOB, multiJobProperties),
                Addresses.SUBSCRIPTION, subscription());
    }

    private SoapService factory() {
        return new Dispatcher(
                Addresses.FACTORY,
                Map.<QName, Operation>of(
                        generation.job("createManagedJob"), createManagedJob,
                        generation.extension(CreateManagedJobs.NAME), createManagedJobs,
                        generation.extension(ListJobs.NAME), listJobs,
                        generation.properties("GetResourceProperty"), factoryProperties,
                        generation.properties("GetMultipleResourceProperties"), factoryProperties,
                        generation.properties("QueryResourceProperties"), factoryProperties::query));
    }

    private SoapService job(String service, JobProperties properties) {
        Map<QName, Operation> operations = new HashMap<>();
        operations.put(generation.properties("GetResourceProperty"), properties);
        operations.put(generation.properties("GetMultipleResourceProperties"), properties);
        operations.put(generation.lifetime("Destroy"), lifetime::destroy);
        operations.put(generation.lifetime("SetTerminationTime"), lifetime::setTerminationTime);
        operations.put(generation.release("release"), lifetime::release);
        operations.put(generation.properties("QueryResourceProperties"), properties::query);
        operations.put(generation.notification("Subscribe"), producerOperations::subscribe);
        operations.put(generation.notification("GetCurrentMessage"), producerOperations::currentMessage);
        operations.put(generation.rendezvous("register"), rendezvous::register);
        if (generation == Generation.GT42) {
            operations.put(generation.terminate("terminate"), lifetime::terminate);
        }
        return new Dispatcher(service, operations);
    }

    private SoapService subscription() {
        SubscriptionOperations all = subscriptionOperations;
        Map<QName, Operation> operations = new HashMap<>();
        operations.put(generation.properties("GetResourceProperty"), all::property);
        operations.put(generation.properties("GetMultipleResourceProperties"), all::property);
        operations.put(generation.lifetime("Destroy"), all::destroy);
        operations.put(generation.lifetime("SetTerminationTime"), all::setTerminationTime);
        operations.put(generation.notification("PauseSubscription"), all::pause);
        operations.put(generation.notification("ResumeSubscription"), all::resume);
        if (generation == Generation.GT42) {
            operations.put(generation.notification("Renew"), all::renew);
            operations.put(generation.notification("Unsubscribe"), all::unsubscribe);
        }
        return new Dispatcher(Addresses.SUBSCRIPTION, operations);
    }
}
