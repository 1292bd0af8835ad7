// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jobgate.access.Access;
import org.jobgate.access.AuditRecords;
import org.jobgate.access.Jobs;
import org.jobgate.adapter.FileWorkers;
import org.jobgate.adapter.chirp.ChirpCredentials;
import org.jobgate.address.Destinations;
import org.jobgate.audit.Audit;
import org.jobgate.container.admin.AdminOverNetwork;
import org.jobgate.container.admin.AdminService;
import org.jobgate.container.admin.AuthzRequests;
import org.jobgate.container.admin.ServiceControl;
import org.jobgate.container.backup.RestoreMark;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.health.Cached;
import org.jobgate.container.health.Health;
import org.jobgate.container.health.HealthCheck;
import org.jobgate.container.health.HealthChecks;
import org.jobgate.container.health.Measures;
import org.jobgate.container.health.SelfLimiter;
import org.jobgate.container.http.HttpService;
import org.jobgate.container.http.SoapServlets;
import org.jobgate.container.http.WaitingRequest;
import org.jobgate.container.metrics.FigureHistory;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.trace.JobTraces;
import org.jobgate.delegation.Delegation;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.FrontDoor;
import org.jobgate.engine.JobEngine;
import org.jobgate.gram.service.AccountHomes;
import org.jobgate.gt4.Gt4Mount;
import org.jobgate.gt4.JdkConsumerClient;
import org.jobgate.job.JobId;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.notify.ConsumerClient;
import org.jobgate.notify.Deliveries;
import org.jobgate.notify.JobChanges;
import org.jobgate.rft.RftDoor;
import org.jobgate.store.JobStore;
import org.jobgate.store.sql.JobStores;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.TransferEngine;
import org.jobgate.transfer.job.JobFiles;
import org.jspecify.annotations.Nullable;

/**
 * Which part is made of which: the one place that knows all modules. It makes the parts in the order in which they need each other, and
 * closes them the other way round; when each begins to work is {@link JobgateService}'s to say. Which front doors there are is said in
 * {@link FrontDoors}.
 */
final class Wiring implements AutoCloseable {

    private static final Duration LRM_HEALTH_KEPT = Duration.ofSeconds(2);

    private final Base base;
    private final JobgateConfig config;
    private final Security security;
    private final Metrics metrics;
    private final FigureHistory figures;
    private final Authorizations authorizations;
    private final Access access;
    private final @Nullable Delegation delegation;
    private final FileWorkers files;
    private final RftDoor.@Nullable Transfers transfers;
    private final Deliveries deliveries;
    private final CallbackPolicy callbacks;
    final List<FrontDoor> doors;
    final JobStore store;

    /** The mark of a store that was restored from a backup; absent for any other store. */
    final @Nullable RestoreMark mark;

    final @Nullable Audit audit;
    private final @Nullable JobTraces traces;
    private final @Nullable JobFiles stager;
    private final List<Lrm> lrms;
    private final ChirpCredentials chirp;
    final JobEngine engine;
    final Health health;
    final HttpService http;
    final AdminService admin;

    /** What the addresses of GT4's job services begin with. */
    final String url;

    private final WaitingRequest waiting = new WaitingRequest();

    /**
     * Makes every part; none works yet, but the store is open and the ports are taken.
     *
     * @param home where Jobgate is installed: the Perl adapters are below it
     * @param homes where local accounts have their home directories
     * @param control what the administrator's orders reach
     */
    Wiring(JobgateConfig config, StateDirectory state, Path home, AccountHomes homes, ServiceControl control) {
        this.config = config;
        this.base = Base.of(config, state.path(), home, homes);
        try {
            this.mark = RestoreMark.of(base.state()).orElse(null);
            this.security = Security.make(base);
            this.metrics = base.keep(new Metrics());
            this.store = base.keep(JobStores.open(Stores.settings(base), base.clock(), waiting));
            metrics.store(store);
            this.figures = base.keep(metrics.history(base.clock()));
            this.authorizations = base.keep(new Authorizations(
                    config, store, security.tls().forGateway(), security.host(), base.ports(), base.clock()));
            this.access = new Access(
                    authorizations.chain, Set.copyOf(config.authorization().administrators()), this::acted);
            this.delegation = delegation();
            Lrms made = new Lrms(base, security.tls(), delegation == null ? null : delegation.vault(), store, mark);
            this.lrms = made.make();
            this.chirp = base.keep(
                    Chirp.credentials(base, Delegations.ofJobs(delegation, lrms, config), made.spools(), store));
            metrics.chirp(() -> Chirp.figures(chirp));
            this.files = base.keep(FileDoor.accounts(config, home, base.left(), base.clock(), base.random()));
            this.transfers = transfers();
            this.stager = transfers == null
                    ? null
                    : Staging.jobFiles(config, transfers.engine(), transfers.protocols(), base.homes());
            this.engine = engine();
            this.health = health(lrms);
            SoapServlets soap =
                    base.keep(new SoapServlets(Messages.guards(base, security.host(), security.validator())));
            this.http = http();
            this.traces = Traces.open(base, store, engine, http, metrics);
            Destinations destinations = Notifications.destinations(config.callbacks(), base.ports());
            this.callbacks = new CallbackPolicy(destinations);
            this.deliveries = deliveries(destinations);
            this.doors = FrontDoors.make(
                    base,
                    this::context,
                    delegation,
                    transfers,
                    Bes.acceptance(control, () -> engine.closed().isPresent()),
                    config.audit().enabled() ? new RecordsForDoors(this::audit) : AuditRecords.NONE,
                    administration());
            doors.forEach(base::keep);
            doors.forEach(door -> metrics.door(door.name(), door.metrics()));
            http.mount(doors, soap);
            if (delegation != null) {
                http.delegateBy(access, delegation.ofCallers());
            }
            this.url = Gt4Mount.baseUrl(url(DoorAddresses.GRAM));
            this.audit = config.audit().enabled()
                    ? base.keep(AuditTrail.open(base, config.audit(), store, url, stager))
                    : null;
            if (audit != null) {
                metrics.audit(audit::lag, audit::entries, audit::bytes);
            }
            engine.provide(Gram.handles(config, url, home));
            this.admin = admin(state, control);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Begins to work on jobs and to tell clients about them. */
    void takeUpJobs() {
        if (delegation != null) {
            delegation.start();
        }
        if (mark != null) {
            engine.restoration()
                    .begin(
                            mark.takenAt(),
                            mark.restoredAt(),
                            RestoredAccounts.of(config, store),
                            mark.stage() != RestoreMark.Stage.RESUMED);
        }
        chirp.start();
        engine.start();
        if (audit != null) {
            audit.start(lrms);
        }
        if (mark != null && mark.stage() != RestoreMark.Stage.RESUMED) {
            acted(
                    "jobgate restore",
                    "restored a backup that was taken at " + mark.takenAt() + ", at " + mark.restoredAt(),
                    Optional.empty());
        }
        if (traces != null) {
            traces.start();
        }
        deliveries.start();
        figures.start();
        doors.forEach(FrontDoor::start);
    }

    private @Nullable Audit audit() {
        return audit;
    }

    /** Something that an administrator has done is to be on record. */
    private void acted(String who, String what, Optional<JobId> job) {
        AuditTrail.record(audit, who, what, job);
    }

    /** Answers the requests that wait for a change, so that nothing has to wait for them. */
    void endWaits() {
        engine.endWaits();
        doors.forEach(FrontDoor::endWaits);
    }

    /** Absent where credentials cannot be delegated. */
    private @Nullable Delegation delegation() {
        return config.delegation().enabled()
                ? base.keep(new Delegation(
                        Delegations.settings(config, base.state()),
                        store,
                        Delegations.check(security.validator()),
                        base.clock(),
                        base.random()))
                : null;
    }

    /** What moves files; absent where files are not moved. */
    private RftDoor.@Nullable Transfers transfers() {
        if (!config.staging().enabled()) {
            return null;
        }
        Protocols protocols = Staging.protocols(
                config.staging(),
                files,
                security.tls(),
                base.ports(),
                () -> Staging.gridFtp(config.staging(), security.validator(), base.ports(), base.clock()));
        TransferCredentials credentials = StagingCredentials.of(delegation, base.clock());
        if (delegation != null) {
            delegation.vault().listen(StagingCredentials.forgetting(protocols));
        }
        TransferEngine made = base.keep(Staging.engine(
                config.staging(), protocols, base.ports(), credentials, store, base.clock(), base.random()));
        metrics.transfers(() -> Staging.figures(made));
        return new RftDoor.Transfers(made, protocols, credentials);
    }

    private JobEngine engine() {
        JobEngine made = new JobEngine(
                store,
                lrms,
                stager,
                chirp,
                config.limits().jobLimits(),
                config.workers().engineSettings(config.store().keepFinished()),
                base.clock(),
                base.random(),
                waiting);
        metrics.pools(made.pools());
        return made;
    }

    private SelfLimiter selfLimiter() {
        SelfLimiter made = new SelfLimiter(
                Measures.all(
                        config.selfLimiter(),
                        base.state(),
                        engine::liveJobs,
                        () -> engine.pools().values().stream()
                                .mapToLong(pool -> pool.figures().queued())
                                .sum()),
                config.selfLimiter().interval(),
                System::nanoTime);
        engine.heed(made::overload);
        metrics.selfLimiter(made, () -> engine.closed().isPresent());
        return made;
    }

    private Health health(List<Lrm> lrms) {
        Map<String, HealthCheck> checks = new LinkedHashMap<>();
        checks.put("store", HealthChecks.store(store));
        if (config.audit().enabled()) {
            checks.put("audit", () -> AuditTrail.health(audit));
        }
        checks.put("selfLimiter", selfLimiter().check());
        checks.put("disk", HealthChecks.disk(base.state(), config.state().minFreeSpace()));
        checks.put("authorization", authorizations.health());
        checks.put("trust", HealthChecks.trust(security.validator()::trust));
        if (config.tokenIssuers().stream().anyMatch(issuer -> issuer.keysFile() != null)) {
            checks.put("token keys", HealthChecks.tokenKeys(() -> Tokens.badKeyFiles(config)));
        }
        for (Lrm lrm : lrms) {
            Cached<LrmHealth> known = new Cached<>(lrm::health, LRM_HEALTH_KEPT, System::nanoTime);
            checks.put("lrm " + lrm.name(), HealthChecks.lrm(known));
            lrm.onLag(metrics.lrm(
                    lrm.name(), known, () -> engine.lrmAdministration().strayRecords(lrm.name())));
        }
        ExecutorService lookers = base.keep(Executors.newVirtualThreadPerTaskExecutor());
        return new Health(checks, engine::isDraining, lookers, System::nanoTime);
    }

    /** With its ports open, so that what must know them can be made. */
    private HttpService http() {
        HttpService made = base.keep(new HttpService(config, security.http(base, health, metrics)));
        waiting.of(made);
        made.open();
        made.ports().forEach(base.ports()::add);
        return made;
    }

    private Deliveries deliveries(Destinations destinations) {
        ConsumerClient consumers = base.keep(new JdkConsumerClient(
                security.tls().forCallbacks(), destinations, config.callbacks().timeout()));
        Deliveries made = base.keep(
                new Deliveries(consumers, callbacks, Notifications.settings(config.callbacks()), base.clock()));
        metrics.notifications(made::statistics);
        return made;
    }

    /** What the door of this name is given, which keeps records of these kinds. */
    private DoorContext context(String door, Set<String> records) {
        return new DoorContext(
                url(door),
                other -> config.serves(other) ? Optional.of(url(other)) : Optional.empty(),
                config.bodyBytes(door),
                access,
                new Jobs(engine),
                store.only(records),
                JobChanges.of(store),
                deliveries,
                callbacks,
                files,
                files,
                FileDoor.trees(config, files),
                delegation == null ? null : delegation.ofCallers(),
                base.clock(),
                base.random());
    }

    private String url(String door) {
        return "https://" + config.server().publicName() + ":" + http.port(door);
    }

    private AdminService admin(StateDirectory state, ServiceControl control) {
        return base.keep(new AdminService(
                state.adminSocket(),
                control,
                engine,
                Staging.pool(transfers == null ? null : transfers.engine()),
                store,
                new AuthzRequests(
                        authorizations.chain, new PresentedCredentials(security.validator(), security.tokens())),
                audit,
                this::acted,
                Stores.backups(base, engine)));
    }

    /** What the REST door brings for administrators; the first request comes after all is made. */
    private RestAdministration administration() {
        return new RestAdministration(new AdminOverNetwork(
                () -> requireNonNull(admin),
                store,
                figures,
                config.limits().jobLimits(),
                Stores.settings(base).sqliteFileIfAny()));
    }

    /** Closes what was made, the newest first. */
    @Override
    public void close() {
        base.kept().close();
    }
}
