// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.jobgate.access.Access;
import org.jobgate.access.Jobs;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.ResourceFaults;
import org.jobgate.gram.notification.Notifications;
import org.jobgate.gram.notification.StateMessage;
import org.jobgate.gram.rendezvous.Rendezvouses;
import org.jobgate.gram.service.AccountVariables;
import org.jobgate.gram.service.Addresses;
import org.jobgate.gram.service.GramContext;
import org.jobgate.gram.service.GramServices;
import org.jobgate.gram.service.Gt4Context;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Gt4Dialect;
import org.jobgate.gt4.WsdlDocuments;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.notify.Deliveries;
import org.jobgate.soap.MessageGuards;
import org.jobgate.soap.SoapPublisher;
import org.jobgate.soap.SoapService;
import org.jobgate.store.JobStore;

/**
 * The GRAM4 front door: the job services of GT 4.0 and of GT 4.2 on a CXF bus, both at the same addresses.
 *
 * <p>The caller's {@link org.jobgate.identity.Identity} is taken from the servlet request.
 */
public final class GramDoor implements AutoCloseable {

    private final GramSettings settings;
    private final Map<Generation, Gt4Context> generations = new EnumMap<>(Generation.class);
    private final GramContext context;
    private final Notifications notifications;
    private final List<EndpointImpl> endpoints = new ArrayList<>();

    /**
     * A door that is not published and not started.
     *
     * @param variables what the variables of job descriptions stand for
     * @param deliveries of messages to clients; started and closed by their owner
     * @param callbacks which addresses clients may name for messages
     */
    public GramDoor(
            GramSettings settings,
            Jobs jobs,
            JobStore store,
            Access access,
            AccountVariables variables,
            Deliveries deliveries,
            CallbackPolicy callbacks,
            Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        for (Generation generation : Generation.values()) {
            generations.put(generation, gt4(settings.publicBaseUrl(), generation, clock));
        }
        Subscriptions subscriptions = new Subscriptions(
                store,
                Notifications.SUBSCRIPTION_KIND,
                settings.subscriptionsPerJob(),
                "Subscriptions of the job",
                clock,
                () -> UUID.randomUUID().toString());
        Rendezvouses rendezvouses = new Rendezvouses(store, settings.rendezvous(), clock);
        this.context = new GramContext(jobs, access, variables, subscriptions, callbacks, rendezvouses, clock);
        this.notifications = new Notifications(
                job -> gt4(Generation.GT40)
                        .addresses()
                        .of(job.map(Addresses::serviceOf).orElse(Addresses.JOB)),
                generation -> new StateMessage(generation, gt4(generation).gram()),
                store,
                subscriptions,
                rendezvouses,
                deliveries,
                clock);
    }

    private static Gt4Context gt4(String baseUrl, Generation generation, Clock clock) {
        Addresses addresses = new Addresses(baseUrl, generation);
        return new Gt4Context(
                addresses,
                new ResourceFaults(generation, clock),
                new GramFaults(generation, job -> addresses.of(Addresses.serviceOf(job)), clock));
    }

    private Gt4Context gt4(Generation generation) {
        return requireNonNull(generations.get(generation));
    }

    /** Registers the services with the bus, their messages as they come. */
    public GramDoor publish(Bus bus) {
        return publish(bus, MessageGuards.NONE);
    }

    /** Registers the services with the bus, each under {@code /<its name>} of its servlet. */
    public GramDoor publish(Bus bus, MessageGuards guards) {
        String baseUrl = settings.publicBaseUrl();
        SoapPublisher publisher = new SoapPublisher(
                baseUrl,
                settings.soapLimits(),
                new Gt4Dialect((generation, fault) -> gt4(generation).gram().soap(fault)),
                new WsdlDocuments(baseUrl, GramDoor.class, "/org/jobgate/gram/wsdl/")::find,
                guards);
        for (SoapService service : new GramServices(context, generations, settings.ofServices()).all()) {
            endpoints.add(publisher.publish(bus, service));
        }
        return this;
    }

    /** Begins to tell clients about their jobs; the store must be open. */
    public void start() {
        notifications.start();
    }

    /** Takes the services from the bus, and tells nobody more. Must be called before the store is closed. */
    @Override
    public void close() {
        notifications.close();
        endpoints.forEach(EndpointImpl::stop);
        endpoints.clear();
    }
}
