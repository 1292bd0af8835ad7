// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.jobgate.authz.Authorizer;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.notification.CallbackPolicy;
import org.jobgate.gram.notification.ConsumerClient;
import org.jobgate.gram.notification.Notifications;
import org.jobgate.gram.notification.NotifierStatistics;
import org.jobgate.gram.notification.Subscriptions;
import org.jobgate.gram.service.AccountVariables;
import org.jobgate.gram.service.Addresses;
import org.jobgate.gram.service.GramServices;
import org.jobgate.gram.service.WsdlDocuments;
import org.jobgate.gram.soap.SoapPublisher;
import org.jobgate.gram.soap.SoapService;
import org.jobgate.gram.wsrf.Generation;
import org.jobgate.lifecycle.Jobs;
import org.jobgate.store.JobStore;

/**
 * The GRAM4 front door: GT 4.0's job services on a CXF bus.
 *
 * <p>The caller's {@link org.jobgate.identity.Identity} is taken from the servlet request.
 */
public final class GramDoor implements AutoCloseable {

    private final GramSettings settings;
    private final Addresses addresses;
    private final GramFaults faults;
    private final GramServices services;
    private final Notifications notifications;
    private final List<EndpointImpl> endpoints = new ArrayList<>();

    /**
     * A door that is not published and not started.
     *
     * @param variables what the variables of job descriptions stand for
     * @param consumers sends messages to clients; closed by its owner
     */
    public GramDoor(
            GramSettings settings,
            Jobs jobs,
            JobStore store,
            Authorizer authorizer,
            AccountVariables variables,
            ConsumerClient consumers,
            Clock clock) {
        this.settings = requireNonNull(settings, "settings is null");
        this.addresses = new Addresses(settings.publicBaseUrl(), Generation.GT40);
        this.faults = new GramFaults(Generation.GT40, addresses.of(Addresses.JOB), clock);
        Subscriptions subscriptions = new Subscriptions(
                Generation.GT40,
                store,
                settings.notifier().subscriptionsPerJob(),
                clock,
                () -> UUID.randomUUID().toString());
        CallbackPolicy callbacks = new CallbackPolicy(settings.notifier().allowPrivateAddresses());
        this.notifications = new Notifications(
                Generation.GT40,
                addresses.of(Addresses.JOB),
                store,
                subscriptions,
                faults,
                consumers,
                callbacks,
                settings.notifier(),
                clock);
        this.services = new GramServices(
                addresses,
                settings.facts(),
                settings.jobLimits(),
                settings.waiting(),
                jobs,
                authorizer,
                variables,
                subscriptions,
                callbacks,
                faults,
                clock);
    }

    /** Registers the services with the bus, each under {@code /<its name>} of its servlet. */
    public GramDoor publish(Bus bus) {
        SoapPublisher publisher = new SoapPublisher(
                addresses.baseUrl(), settings.soapLimits(), faults::soap, new WsdlDocuments(addresses.baseUrl())::find);
        for (SoapService service : services.all()) {
            endpoints.add(publisher.publish(bus, service, Generation.GT40));
        }
        return this;
    }

    /** Begins to tell clients about their jobs; the store must be open. */
    public void start() {
        notifications.start();
    }

    /** Figures of the telling. */
    public NotifierStatistics notifierStatistics() {
        return notifications.statistics();
    }

    /** Takes the services from the bus, and tells nobody more. Must be called before the store is closed. */
    @Override
    public void close() {
        notifications.close();
        endpoints.forEach(EndpointImpl::stop);
        endpoints.clear();
    }
}
