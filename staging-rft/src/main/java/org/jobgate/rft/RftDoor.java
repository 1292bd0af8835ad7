// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.jobgate.access.Access;
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
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.TransferEngine;

/** RFT as GT 4.0 and GT 4.2 had it, in front of the transfer engine: requests as resources of web services on a CXF bus. */
public final class RftDoor implements AutoCloseable {

    private final RftSettings settings;
    private final RftRequests requests;
    private final Subscriptions subscriptions;
    private final RftNotifier notifier;
    private final StatusWaits waits;
    private final List<SoapService> services;
    private final Map<Generation, RftFaults> faults = new EnumMap<>(Generation.class);
    private final String publicBaseUrl;
    private final List<EndpointImpl> endpoints = new ArrayList<>();

    /**
     * A door that is not published and not started.
     *
     * @param publicBaseUrl what the services' addresses begin with, without a slash at the end
     * @param protocols those of the engine
     * @param credentials the engine's
     * @param deliveries of messages to clients; started and closed by their owner
     * @param callbacks which addresses clients may name for messages
     */
    public RftDoor(
            RftSettings settings,
            String publicBaseUrl,
            TransferEngine engine,
            Protocols protocols,
            TransferCredentials credentials,
            JobStore store,
            Access access,
            Deliveries deliveries,
            CallbackPolicy callbacks,
            Clock clock,
            SecureRandom random) {
        this.settings = requireNonNull(settings, "settings is null");
        this.publicBaseUrl = requireNonNull(publicBaseUrl, "publicBaseUrl is null");
        for (Generation generation : Generation.values()) {
            faults.put(generation, new RftFaults(generation, clock));
        }
        this.requests = new RftRequests(settings, engine, store, clock);
        this.subscriptions = new Subscriptions(
                store,
                "rft.subscription",
                settings.subscriptions(),
                "Subscriptions of the request",
                clock,
                () -> UUID.randomUUID().toString());
        RftMessage message = new RftMessage(
                publicBaseUrl + "/" + RftNames.SERVICE,
                generation -> new RftProperties.StatusWriting(generation, requireNonNull(faults.get(generation))));
        this.notifier = new RftNotifier(subscriptions, requests::present, message::write, deliveries, clock);
        this.waits = new StatusWaits(settings.waiting());
        requests.listen(notifier::changed, waits::changed, notifier::gone);
        RftCallers callers = new RftCallers(access);
        RftSubscribing subscribing =
                new RftSubscribing(subscriptions, notifier, callbacks, callers, publicBaseUrl, faults, clock);
        this.services = List.of(
                new RftFactory(
                        settings,
                        requests,
                        new RequestRules(protocols, credentials),
                        callers,
                        publicBaseUrl,
                        faults,
                        clock,
                        random),
                new RftResource(requests, waits, subscribing, callers, settings.queries(), faults, clock),
                subscribing);
    }

    /** Registers the services with the bus, each under {@code /<its name>} of its servlet. */
    public void publish(Bus bus, MessageGuards guards) {
        WsdlDocuments documents = new WsdlDocuments(publicBaseUrl, RftDoor.class, "/org/jobgate/rft/wsdl/");
        SoapPublisher publisher = new SoapPublisher(
                publicBaseUrl,
                settings.soapLimits(),
                new Gt4Dialect((generation, fault) ->
                        requireNonNull(faults.get(generation)).of(fault)),
                documents::find,
                guards);
        services.forEach(service -> endpoints.add(publisher.publish(bus, service)));
    }

    /** Goes on with the requests that were started before, and tells those who wait for word of them. */
    public void start() {
        requests.start();
        subscriptions.resources().forEach(request -> notifier.changed(request.toString()));
    }

    /** Answers those who wait for another status, and lets nobody wait any more: a service that ends would have to wait for them. */
    public void endWaits() {
        waits.end();
    }

    /** Takes the services from the bus, and tells nobody more. Must be called before the store is closed. */
    @Override
    public void close() {
        requests.close();
        waits.end();
        endpoints.forEach(EndpointImpl::stop);
        endpoints.clear();
    }
}
