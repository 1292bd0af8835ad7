// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cream;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.soap.SoapLimits;
import org.jobgate.soap.SoapMount;
import org.jobgate.soap.SoapService;

/** CREAM2, as the computing elements of gLite had it: jobs are registered, started, watched and purged over SOAP. */
public final class CreamDoor implements FrontDoor {

    /** The path that CREAM's services are below; gridsite's delegation service has its place there too. */
    public static final String ROOT = "/ce-cream/services";

    /** The kinds of records that it keeps. */
    public static final Set<String> RECORDS =
            Set.of(JobBook.KIND, JobBook.JDL, CommandLog.KIND, CreamIds.KIND, Leases.KIND);

    private final Mount mount;
    private final Housekeeping housekeeping;

    /**
     * A door that is not started.
     *
     * @param delegation the service by which clients of CREAM delegate, where the site has one
     * @param delegationDocuments the descriptions of that service, by {@code Service?query}
     * @param site where the sandboxes of jobs are, and by which server clients reach them
     */
    public CreamDoor(
            CreamSettings settings,
            DoorContext door,
            List<SoapService> delegation,
            Function<String, Optional<byte[]>> delegationDocuments,
            SandboxPlaces site) {
        requireNonNull(settings, "settings is null");
        CreamIds ids = new CreamIds(door.records(), door.clock());
        JobBook book = new JobBook(door.records());
        CommandLog log = new CommandLog(door.records(), door.clock(), door.random());
        Leases leases = new Leases(door.records(), settings, door.clock());
        Sandboxes sandboxes = new Sandboxes(door, site);
        JobViews views = new JobViews(door.url(), door.jobs(), log, leases, sandboxes, door.delegations(), settings);
        Selection selection = new Selection(door.jobs(), book, settings);
        this.housekeeping = new Housekeeping(door, settings, selection, book, log, leases, sandboxes);
        CreamService service = new CreamService(
                door,
                settings,
                new CreamService.Parts(
                        selection,
                        book,
                        new Registration(door, settings, book, ids, leases, sandboxes, housekeeping, views),
                        new JobOrders(
                                door.jobs(), selection, book, log, leases, housekeeping, settings, views, door.clock()),
                        views,
                        new Events(door.jobs(), book, ids, settings, door.clock()),
                        leases,
                        new ServiceInfo(door.jobs(), door.records(), settings, ids, door.clock())));
        List<SoapService> services = new ArrayList<>(delegation);
        services.add(service);
        this.mount = new SoapMount(
                ROOT,
                door.url() + ROOT,
                new SoapLimits(door.bodyBytes(), settings.xml()),
                new CreamDialect(door.clock()),
                query -> document(query, door.url() + ROOT, delegationDocuments),
                services);
    }

    private static Optional<byte[]> document(
            String query, String baseUrl, Function<String, Optional<byte[]>> delegationDocuments) {
        return query.equalsIgnoreCase(CreamNames.SERVICE + "?wsdl")
                ? Optional.of(CreamWsdl.document(baseUrl + "/" + CreamNames.SERVICE))
                : delegationDocuments.apply(query);
    }

    @Override
    public String name() {
        return DoorAddresses.CREAM;
    }

    @Override
    public List<Mount> mounts() {
        return List.of(mount);
    }

    /** Takes up the leases where they were, and begins to purge what is old. */
    @Override
    public void start() {
        housekeeping.start();
    }

    /** Purges the jobs that are kept long enough; done now and then by the door itself. */
    void purgeOld() {
        housekeeping.purgeOld();
    }

    @Override
    public void close() {
        housekeeping.close();
    }
}
