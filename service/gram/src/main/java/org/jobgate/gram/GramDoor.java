// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
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
import org.jobgate.gt4.Gt4Mount;
import org.jobgate.gt4.subscription.Subscriptions;
import org.jobgate.language.JobLanguages;
import org.jobgate.soap.SoapLimits;

/**
 * The GRAM4 front door: the job services of GT 4.0 and of GT 4.2, both at the same addresses.
 *
 * <p>The caller's {@link org.jobgate.identity.Identity} is taken from the servlet request.
 */
public final class GramDoor implements FrontDoor {

    /** The kinds of records that it keeps. */
    public static final Set<String> RECORDS = Set.of(Notifications.SUBSCRIPTION_KIND, Rendezvouses.RECORD_KIND);

    private final Map<Generation, Gt4Context> generations = new EnumMap<>(Generation.class);
    private final Notifications notifications;
    private final Mount mount;

    /**
     * A door that is not started.
     *
     * @param variables what the variables of job descriptions stand for
     * @param languages of XML, others than GRAM4's own, in which a job can be described among its extensions
     */
    public GramDoor(GramSettings settings, DoorContext door, AccountVariables variables, JobLanguages languages) {
        Clock clock = door.clock();
        for (Generation generation : Generation.values()) {
            generations.put(generation, gt4(door, generation));
        }
        Subscriptions subscriptions = new Subscriptions(
                door.records(),
                Notifications.SUBSCRIPTION_KIND,
                settings.subscriptionsPerJob(),
                "Subscriptions of the job",
                clock,
                () -> UUID.randomUUID().toString());
        Rendezvouses rendezvouses =
                new Rendezvouses(door.records(), door.changes(), door.jobs(), settings.rendezvous(), clock);
        GramContext context = new GramContext(
                door.jobs(), door.access(), variables, languages, subscriptions, door.callbacks(), rendezvouses, clock);
        this.notifications = new Notifications(
                job -> gt4(Generation.GT40)
                        .addresses()
                        .of(job.map(Addresses::serviceOf).orElse(Addresses.JOB)),
                generation -> new StateMessage(generation, gt4(generation).gram()),
                door.changes(),
                subscriptions,
                rendezvouses,
                door.deliveries(),
                clock);
        this.mount = Gt4Mount.of(
                door.url(),
                new SoapLimits(door.bodyBytes(), settings.xml()),
                new Gt4Dialect((generation, fault) -> gt4(generation).gram().soap(fault)),
                GramDoor.class,
                "/org/jobgate/gram/wsdl/",
                new GramServices(context, generations, settings.ofServices()).all());
    }

    private static Gt4Context gt4(DoorContext door, Generation generation) {
        Addresses addresses = Addresses.of(door, generation);
        Clock clock = door.clock();
        return new Gt4Context(
                addresses,
                new ResourceFaults(generation, clock),
                new GramFaults(generation, job -> addresses.of(Addresses.serviceOf(job)), clock));
    }

    private Gt4Context gt4(Generation generation) {
        return requireNonNull(generations.get(generation));
    }

    @Override
    public String name() {
        return DoorAddresses.GRAM;
    }

    @Override
    public List<Mount> mounts() {
        return List.of(mount);
    }

    /** Begins to tell clients about their jobs. */
    @Override
    public void start() {
        notifications.start();
    }

    /** Tells nobody more. */
    @Override
    public void close() {
        notifications.close();
    }
}
