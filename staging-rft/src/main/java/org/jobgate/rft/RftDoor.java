// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rft;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.gt4.Generation;
import org.jobgate.gt4.Gt4Dialect;
import org.jobgate.gt4.Gt4Mount;
import org.jobgate.gt4.subscription.StandingNotifier;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.job.JobId;
import org.jobgate.soap.SoapLimits;
import org.jobgate.soap.SoapService;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.TransferEngine;

/** RFT as GT 4.0 and GT 4.2 had it, in front of the transfer engine: requests as resources of web services. */
public final class RftDoor implements FrontDoor {

    private static final String SUBSCRIPTION = "rft.subscription";

    /** The kinds of records that it keeps. */
    public static final Set<String> RECORDS = Set.of(RequestStore.REQUEST, RequestStore.STATE, SUBSCRIPTION);

    private final RftRequests requests;
    private final Subscriptions subscriptions;
    private final StandingNotifier notifier;
    private final StatusWaits waits;
    private final OwnTransfers own;
    private final Map<Generation, RftFaults> faults = new EnumMap<>(Generation.class);
    private final Mount mount;

    /**
     * What moves the files.
     *
     * @param protocols those of the engine
     * @param credentials the engine's
     */
    public record Transfers(TransferEngine engine, Protocols protocols, TransferCredentials credentials) {
        public Transfers {
            requireNonNull(engine, "engine is null");
            requireNonNull(protocols, "protocols is null");
            requireNonNull(credentials, "credentials is null");
        }
    }

    /** A door that is not started. */
    public RftDoor(RftSettings settings, DoorContext door, Transfers transfers) {
        String baseUrl = Gt4Mount.baseUrl(door.url());
        for (Generation generation : Generation.values()) {
            faults.put(generation, new RftFaults(generation, door.clock()));
        }
        this.requests = new RftRequests(settings, transfers.engine(), door.records(), door.clock());
        this.waits = new StatusWaits(settings.waiting());
        this.own = new OwnTransfers(
                requests,
                new RequestRules(transfers.protocols(), transfers.credentials(), "credential"),
                waits,
                settings.files(),
                door.clock(),
                door.random());
        this.subscriptions = new Subscriptions(
                door.records(),
                SUBSCRIPTION,
                settings.subscriptions(),
                "Subscriptions of the request",
                door.clock(),
                () -> UUID.randomUUID().toString());
        RftMessage message = new RftMessage(
                baseUrl + "/" + RftNames.SERVICE,
                generation -> new RftProperties.StatusWriting(generation, faults(generation)));
        this.notifier = new StandingNotifier(
                subscriptions,
                "RFT request",
                subscription -> requests.present(subscription.resource().toString())
                        .map(present -> message.standing(subscription, present)),
                door.deliveries(),
                door.clock());
        requests.listen(
                request -> notifier.changed(JobId.parse(request)),
                waits::changed,
                request -> notifier.gone(JobId.parse(request)));
        RftCallers callers = new RftCallers(door.access());
        RftSubscribing subscribing =
                new RftSubscribing(subscriptions, notifier, door.callbacks(), callers, baseUrl, faults, door.clock());
        List<SoapService> services = List.of(
                new RftFactory(
                        settings,
                        requests,
                        new RequestRules(transfers.protocols(), transfers.credentials(), "transferCredentialEndpoint"),
                        callers,
                        baseUrl,
                        faults,
                        door.clock(),
                        door.random()),
                new RftResource(requests, waits, subscribing, callers, settings.queries(), faults, door.clock()),
                subscribing);
        this.mount = Gt4Mount.of(
                door.url(),
                new SoapLimits(door.bodyBytes(), settings.xml()),
                new Gt4Dialect((generation, fault) -> faults(generation).of(fault)),
                RftDoor.class,
                "/org/jobgate/rft/wsdl/",
                services);
    }

    /** The same requests for a door that does not speak SOAP. */
    public org.jobgate.access.Transfers ownTransfers() {
        return own;
    }

    private RftFaults faults(Generation generation) {
        return requireNonNull(faults.get(generation));
    }

    @Override
    public String name() {
        return DoorAddresses.RFT;
    }

    @Override
    public List<Mount> mounts() {
        return List.of(mount);
    }

    /** Goes on with the requests that were started before, and tells those who wait for word of them. */
    @Override
    public void start() {
        requests.start();
        subscriptions.resources().forEach(notifier::changed);
    }

    /** Answers those who wait for another status, and lets nobody wait any more: a service that ends would have to wait for them. */
    @Override
    public void endWaits() {
        waits.end();
    }

    /** Tells nobody more. Must be called before the store is closed. */
    @Override
    public void close() {
        requests.close();
        waits.end();
    }
}
