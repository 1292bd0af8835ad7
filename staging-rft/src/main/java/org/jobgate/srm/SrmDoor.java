// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.srm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.DoorGauge;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.soap.Dialect;
import org.jobgate.soap.SoapLimits;
import org.jobgate.soap.SoapMount;
import org.jobgate.soap.SoapService;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.server.FileServers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** SRM v2.2 in front of the trees that the site exports: names, and URLs by which files are moved. It touches no jobs. */
public final class SrmDoor implements FrontDoor {

    /** The kinds of records that it keeps. */
    public static final Set<String> RECORDS = Set.of(Requests.KIND, Spaces.KIND);

    private static final Logger LOG = LoggerFactory.getLogger(SrmDoor.class);
    private static final String ROOT = "/srm";

    /** The addresses of SRM services that clients guess: those of dCache, DPM and StoRM, and of BeStMan. */
    private static final List<String> SERVICES = List.of("managerv2", "v2/server");

    private static final long SWEEP_SECONDS = 5;
    private static final Duration SWEEP_PATIENCE = Duration.ofSeconds(2);

    private final Requests requests;
    private final PutOperations puts;
    private final RequestOperations wholes;
    private final Trees trees;
    private final Spaces spaces;
    private final @Nullable CopyWork copies;
    private final Mount mount;
    private @Nullable ScheduledExecutorService sweeper;

    /**
     * What copies files.
     *
     * @param protocols those of the engine
     */
    public record Copying(TransferEngine engine, Protocols protocols) {
        public Copying {
            requireNonNull(engine, "engine is null");
            requireNonNull(protocols, "protocols is null");
        }
    }

    /**
     * A door that is not started.
     *
     * @param servers the file servers through which transfer URLs lead
     * @param copying absent where files are not copied
     */
    public SrmDoor(SrmSettings settings, DoorContext door, FileServers servers, @Nullable Copying copying) {
        requireNonNull(door, "door is null");
        this.trees = new Trees(door.trees());
        Turls turls = new Turls(settings, servers);
        this.requests = new Requests(door.records(), settings, door.clock());
        GetOperations gets = new GetOperations(trees, settings, turls, requests);
        PutFiles files = new PutFiles(trees, settings, requests);
        this.spaces = new Spaces(door.records(), settings, requests, door.clock());
        this.puts = new PutOperations(trees, settings, turls, requests, gets, files, spaces);
        this.copies = copying == null ? null : new CopyWork(copying.engine(), requests, files);
        this.wholes = new RequestOperations(settings, requests, gets, puts, copies);
        Map<String, Operation> operations = operations(trees, settings, turls, gets);
        if (copying != null && copies != null) {
            CopyOperations copy = new CopyOperations(
                    settings,
                    requests,
                    new CopyEnds(trees, turls, files, copying.protocols(), door.url()),
                    new CopyCredentials(door.delegations(), door.addresses(), door.clock()),
                    copies);
            operations.put("srmCopy", copy::copy);
            operations.put("srmStatusOfCopyRequest", copy::status);
        }
        this.mount = new SoapMount(
                ROOT,
                door.url() + ROOT,
                new SoapLimits(door.bodyBytes(), settings.xml()),
                Dialect.PLAIN,
                query -> query.toLowerCase(Locale.ROOT).endsWith("?wsdl")
                        ? Optional.of(Wsdl.document(door.url() + ROOT + "/" + SERVICES.getFirst()))
                        : Optional.empty(),
                SERVICES.stream()
                        .<SoapService>map(name -> new SrmService(name, door.access(), operations))
                        .toList());
    }

    private Map<String, Operation> operations(Trees trees, SrmSettings settings, Turls turls, GetOperations gets) {
        SiteOperations site = new SiteOperations(settings, turls);
        SpaceOperations space = new SpaceOperations(trees, settings, spaces);
        Listing listing = new Listing(trees, settings, puts::content);
        NameOperations names = new NameOperations(trees, settings);
        PermissionOperations permissions = new PermissionOperations(trees, settings);
        Map<String, Operation> all = new LinkedHashMap<>();
        Wsdl.operations().forEach(name -> all.put(name, NotSupported.of(name)));
        Map<String, Operation> done = new LinkedHashMap<>();
        done.put("srmPing", site::ping);
        done.put("srmGetTransferProtocols", site::protocols);
        done.put("srmGetSpaceTokens", space::tokens);
        done.put("srmGetSpaceMetaData", space::details);
        done.put("srmReserveSpace", space::reserve);
        done.put("srmStatusOfReserveSpaceRequest", space::status);
        done.put("srmUpdateSpace", space::update);
        done.put("srmStatusOfUpdateSpaceRequest", space::status);
        done.put("srmReleaseSpace", space::release);
        done.put("srmLs", listing::list);
        done.put("srmStatusOfLsRequest", listing::status);
        done.put("srmMkdir", names::makeDirectory);
        done.put("srmRmdir", names::removeDirectory);
        done.put("srmRm", names::removeFiles);
        done.put("srmMv", names::move);
        done.put("srmCheckPermission", permissions::check);
        done.put("srmGetPermission", permissions::get);
        done.put("srmSetPermission", permissions::set);
        done.put("srmPrepareToGet", gets::prepare);
        done.put("srmStatusOfGetRequest", gets::status);
        done.put("srmBringOnline", gets::bringOnline);
        done.put("srmStatusOfBringOnlineRequest", gets::bringOnlineStatus);
        done.put("srmReleaseFiles", gets::release);
        done.put("srmPrepareToPut", puts::prepare);
        done.put("srmStatusOfPutRequest", puts::status);
        done.put("srmPutDone", puts::done);
        done.put("srmAbortRequest", wholes::abort);
        done.put("srmAbortFiles", wholes::abortFiles);
        done.put("srmExtendFileLifeTime", wholes::extend);
        done.put("srmGetRequestSummary", wholes::summaries);
        done.put("srmGetRequestTokens", wholes::tokens);
        all.putAll(done);
        return all;
    }

    @Override
    public String name() {
        return DoorAddresses.SRM;
    }

    @Override
    public List<Mount> mounts() {
        return List.of(mount);
    }

    /** Goes on with the requests that were made before. */
    @Override
    public synchronized void start() {
        spaces.load();
        requests.load(request -> {
            puts.remember(request);
            if (copies != null) {
                copies.remember(request, trees);
            }
        });
        ScheduledExecutorService made = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("srm-sweeper").factory());
        var unused = made.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
        sweeper = made;
    }

    /** Ends the requests whose time is over. */
    void sweep() {
        try {
            requests.sweep(wholes::expire, SWEEP_PATIENCE);
            spaces.settle();
            if (copies != null) {
                copies.again();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("SRM requests that are over could not be looked for; that is done again", e);
        }
    }

    @Override
    public List<DoorGauge> metrics() {
        return List.of(new DoorGauge("requests", "Requests for files that are remembered", requests::count));
    }

    @Override
    public synchronized void close() {
        if (sweeper != null) {
            sweeper.shutdownNow();
        }
    }
}
