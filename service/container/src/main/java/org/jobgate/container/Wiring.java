// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.cxf.Bus;
import org.jobgate.access.Access;
import org.jobgate.access.Jobs;
import org.jobgate.adapter.FileWorkers;
import org.jobgate.adapter.LeftWorkers;
import org.jobgate.adapter.LrmSettings;
import org.jobgate.adapter.LrmSpool;
import org.jobgate.adapter.LrmSpools;
import org.jobgate.adapter.MonitorSettings;
import org.jobgate.adapter.PerlLrm;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.admin.AdminService;
import org.jobgate.container.admin.AuthzRequests;
import org.jobgate.container.admin.ServiceControl;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.LrmConfig;
import org.jobgate.container.config.StoreConfig;
import org.jobgate.container.health.Cached;
import org.jobgate.container.health.Health;
import org.jobgate.container.health.HealthCheck;
import org.jobgate.container.health.HealthChecks;
import org.jobgate.container.http.HttpService;
import org.jobgate.container.http.SoapBus;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.delegation.Delegation;
import org.jobgate.delegation.token.TokenValidator;
import org.jobgate.engine.JobEngine;
import org.jobgate.gram.GramDoor;
import org.jobgate.gram.GramSettings;
import org.jobgate.gram.service.PasswdHomes;
import org.jobgate.gt4.JdkConsumerClient;
import org.jobgate.gt4.WaitPlaces;
import org.jobgate.jobs.FileStager;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmHealth;
import org.jobgate.lrm.PrivateFiles;
import org.jobgate.notify.CallbackPolicy;
import org.jobgate.notify.ConsumerClient;
import org.jobgate.notify.Deliveries;
import org.jobgate.rft.RftDoor;
import org.jobgate.soap.MessageGuards;
import org.jobgate.store.JobStore;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.StoreSettings;
import org.jobgate.transfer.Protocols;
import org.jobgate.transfer.TransferCredentials;
import org.jobgate.transfer.TransferEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which part is made of which: the one place that knows all modules. It makes the parts in the order in which they need each other, and
 * closes them the other way round; when each begins to work is {@link JobgateService}'s to say.
 */
final class Wiring implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);
    private static final Duration LRM_HEALTH_KEPT = Duration.ofSeconds(2);

    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final JobgateConfig config;
    private final Path home;
    private final WaitPlaces waiting;
    private final OwnPorts ports;
    private final Clock clock = Clock.systemUTC();
    private final SecureRandom random = new SecureRandom();
    private final LeftWorkers left = new LeftWorkers();

    final JobStore store;
    final JobEngine engine;
    final Health health;
    private final Deliveries deliveries;
    private final GramDoor door;
    private final @Nullable Delegation delegation;
    private final @Nullable Transfers transfers;
    private final @Nullable RftDoor rft;
    final HttpService http;
    final AdminService admin;
    final String url;

    /**
     * Makes every part; none works yet, but the store is open and the port is taken.
     *
     * @param home where Jobgate is installed: the Perl adapters are below it
     * @param control what the administrator's orders reach
     */
    Wiring(JobgateConfig config, StateDirectory state, Path home, ServiceControl control) {
        this.config = config;
        this.home = home;
        this.waiting = Gram.waiting(config.limits());
        this.ports = new OwnPorts(config.server().publicName());
        try {
            HostCredential host = HostCredential.load(
                    config.server().hostCertificate(),
                    config.server().hostKey(),
                    config.credentials().minRsaBits());
            host.warning(clock).ifPresent(LOG::warn);
            RefusalLog refusals = new RefusalLog(System::nanoTime);
            ChainValidator validator = keep(new ChainValidator(config.server(), config.credentials(), refusals, clock));
            TlsContexts tls = new TlsContexts(host, validator, refusals);
            TokenValidator tokens = Tokens.validator(config, keep(Tokens.fetch(config.tokens(), tls, ports)), clock);
            Metrics metrics = keep(new Metrics());

            this.store = keep(JobStores.open(storeSettings(config.store(), state.path()), clock));
            metrics.store(store);
            Authorizations authorizations = keep(new Authorizations(config, store, tls.forGateway(), ports, clock));
            Access access = new Access(authorizations.chain);
            this.delegation = delegation(validator, access, state.path());
            Map<String, LrmSpool> spools = spools(state.path());
            List<Lrm> lrms = config.lrms().stream()
                    .map(lrm -> keep(lrm(lrm, tls, spools)))
                    .toList();
            FileWorkers files = keep(FileDoor.accounts(config, home, left, clock, random));
            this.transfers = transfers(files, tls, validator, metrics);
            this.engine = new JobEngine(
                    store,
                    lrms,
                    stager(),
                    jobCredentials(lrms),
                    config.limits().jobLimits(),
                    config.workers().engineSettings(config.store().keepFinished()),
                    clock,
                    random);
            metrics.pools(engine.pools());
            Jobs jobs = new Jobs(engine);

            this.health = health(state.path(), lrms, metrics, authorizations.health(), validator);
            Bus bus = SoapBus.create(config.limits().maxBodyBytes().bytes());
            keep(() -> bus.shutdown(true));
            this.http = keep(new HttpService(
                    config,
                    new HttpService.Parts(
                            tls.forServer(config.server().sessionLifetime()),
                            validator,
                            tokens,
                            refusals,
                            bus,
                            Map.of(
                                    HttpService.JOBS,
                                    FileDoor.servlet(config.files(), jobs, files, access, store, clock)),
                            health,
                            metrics,
                            clock,
                            random)));
            int port = http.open();
            http.ports().forEach(ports::add);
            this.url = "https://" + config.server().publicName() + ":" + port + HttpService.SERVICES;
            Destinations destinations = Notifications.destinations(config.callbacks(), ports);
            ConsumerClient consumers = keep(new JdkConsumerClient(
                    tls.forCallbacks(), destinations, config.callbacks().timeout()));
            CallbackPolicy callbacks = new CallbackPolicy(destinations);
            this.deliveries =
                    keep(new Deliveries(consumers, callbacks, Notifications.settings(config.callbacks()), clock));
            metrics.notifications(deliveries::statistics);
            GramSettings gram = Gram.settings(config, url, home, waiting);
            this.door = keep(new GramDoor(
                    gram,
                    jobs,
                    store,
                    access,
                    Gram.variables(gram, config.lrms(), clock),
                    deliveries,
                    callbacks,
                    clock));
            engine.provide(Gram.handles(config, url, home));
            MessageGuards guards = Messages.guards(config.messageSecurity(), host, validator, clock);
            door.publish(bus, guards);
            if (delegation != null) {
                delegation.publish(bus, url, guards);
            }
            this.rft = rft(access, callbacks);
            if (rft != null) {
                rft.publish(bus, guards);
            }
            AuthzRequests authz = new AuthzRequests(authorizations.chain, new PresentedCredentials(validator, tokens));
            this.admin = keep(new AdminService(
                    state.adminSocket(),
                    control,
                    engine,
                    Staging.pool(transfers == null ? null : transfers.engine()),
                    store,
                    authz));
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
        engine.start();
        deliveries.start();
        door.start();
        if (rft != null) {
            rft.start();
        }
    }

    /** Answers the requests that wait for a change, so that nothing has to wait for them. */
    void endWaits() {
        engine.endWaits();
        if (rft != null) {
            rft.endWaits();
        }
    }

    /** Absent where credentials cannot be delegated. */
    private @Nullable Delegation delegation(ChainValidator validator, Access access, Path stateDirectory) {
        if (!config.delegation().enabled()) {
            return null;
        }
        return keep(new Delegation(
                Delegations.settings(config, stateDirectory),
                store,
                Delegations.check(validator),
                access,
                clock,
                random));
    }

    private @Nullable JobCredentials jobCredentials(List<Lrm> lrms) {
        if (delegation == null) {
            return null;
        }
        Map<String, PrivateFiles> places = new HashMap<>();
        lrms.forEach(lrm -> {
            if (lrm instanceof PrivateFiles files) {
                places.put(lrm.name(), files);
            }
        });
        JobCredentials placed = delegation.jobCredentials(
                lrm -> Optional.ofNullable(places.get(lrm)), Delegations.policy(config.delegation()));
        return new PlacedCredentials(placed, places.keySet());
    }

    /** What moves files. */
    private record Transfers(TransferEngine engine, Protocols protocols, TransferCredentials credentials) {}

    /** Absent where files are not moved. */
    private @Nullable Transfers transfers(
            FileWorkers files, TlsContexts tls, ChainValidator validator, Metrics metrics) {
        if (!config.staging().enabled()) {
            return null;
        }
        Protocols protocols = Staging.protocols(
                config.staging(), files, tls, ports, () -> Staging.gridFtp(config.staging(), validator, ports, clock));
        TransferCredentials credentials = Staging.credentials(delegation == null ? null : delegation.vault(), clock);
        if (delegation != null) {
            delegation.vault().listen(Staging.forgetting(protocols));
        }
        TransferEngine made =
                keep(Staging.engine(config.staging(), protocols, ports, credentials, store, clock, random));
        metrics.transfers(() -> Staging.figures(made));
        return new Transfers(made, protocols, credentials);
    }

    private @Nullable FileStager stager() {
        return transfers == null
                ? null
                : Staging.jobFiles(config, transfers.engine(), transfers.protocols(), new PasswdHomes());
    }

    private @Nullable RftDoor rft(Access access, CallbackPolicy callbacks) {
        return transfers == null
                ? null
                : keep(new RftDoor(
                        Rft.settings(config, waiting),
                        url,
                        transfers.engine(),
                        transfers.protocols(),
                        transfers.credentials(),
                        store,
                        access,
                        deliveries,
                        callbacks,
                        clock,
                        random));
    }

    static StoreSettings storeSettings(StoreConfig store, Path stateDirectory) {
        return new StoreSettings(
                        store.url(),
                        store.user(),
                        store.passwordFile(),
                        store.maxReaders(),
                        store.maxBatch(),
                        store.maxQueuedWrites(),
                        store.recentChanges(),
                        store.timeout())
                .resolvedAgainst(stateDirectory);
    }

    private Lrm lrm(LrmConfig lrm, TlsContexts tls, Map<String, LrmSpool> spools) {
        LrmSpool spool = spools.get(lrm.name());
        return spool == null
                ? Gateways.lrm(lrm, tls, ports, delegation == null ? null : delegation.vault(), store, clock)
                : perlLrm(lrm, spool);
    }

    /** Of those that are no gateways, by name. */
    private Map<String, LrmSpool> spools(Path stateDirectory) {
        try {
            return new LrmSpools("~/.jobgate/" + nameOf(stateDirectory), store, clock)
                    .assign(config.lrms().stream()
                            .filter(lrm -> !Gateways.is(lrm))
                            .map(lrm -> new LrmSpools.Wanted(lrm.name(), lrm.perlAdapter(), lrm.spool()))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("lrms: " + e.getMessage()));
        }
    }

    private PerlLrm perlLrm(LrmConfig lrm, LrmSpool spool) {
        LrmSettings settings = new LrmSettings(
                lrm.name(),
                lrm.perlAdapter(),
                home.resolve("perl"),
                lrm.perl(),
                lrm.sudo(),
                spool,
                Set.copyOf(config.authorization().deniedAccounts()),
                lrm.throttle(),
                lrm.maxRunning(),
                lrm.requestTimeout(),
                lrm.idleEnd(),
                lrm.grace(),
                new MonitorSettings(lrm.queueInterval(), lrm.earlyRefusal(), lrm.segCommand(), lrm.segLog()),
                lrm.optionsByName());
        return PerlLrm.create(settings, left, store, clock);
    }

    /** The same name for the same directory at every start, another one for every other. */
    static String nameOf(Path stateDirectory) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(stateDirectory
                            .toAbsolutePath()
                            .normalize()
                            .toString()
                            .getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private Health health(
            Path stateDirectory, List<Lrm> lrms, Metrics metrics, HealthCheck authorization, ChainValidator validator) {
        Map<String, HealthCheck> checks = new LinkedHashMap<>();
        checks.put("store", HealthChecks.store(store));
        checks.put("disk", HealthChecks.disk(stateDirectory, config.state().minFreeSpace()));
        checks.put("authorization", authorization);
        checks.put("trust", HealthChecks.trust(validator::trust));
        if (config.tokenIssuers().stream().anyMatch(issuer -> issuer.keysFile() != null)) {
            checks.put("token keys", HealthChecks.tokenKeys(() -> Tokens.badKeyFiles(config)));
        }
        for (Lrm lrm : lrms) {
            Cached<LrmHealth> known = new Cached<>(lrm::health, LRM_HEALTH_KEPT, System::nanoTime);
            checks.put("lrm " + lrm.name(), HealthChecks.lrm(known));
            lrm.onLag(metrics.lrm(lrm.name(), known, () -> engine.strayRecords(lrm.name())));
        }
        ExecutorService lookers = keep(Executors.newVirtualThreadPerTaskExecutor());
        return new Health(checks, engine::isDraining, lookers, System::nanoTime);
    }

    private <T extends AutoCloseable> T keep(T part) {
        made.push(part);
        return part;
    }

    /** Closes what was made, the newest first; what fails to close does not keep the others open. */
    @Override
    public void close() {
        while (!made.isEmpty()) {
            AutoCloseable part = made.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.error("{} did not close cleanly", part.getClass().getSimpleName(), e);
            }
        }
    }
}
