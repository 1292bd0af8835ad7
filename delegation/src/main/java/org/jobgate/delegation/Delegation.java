// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation;

import static java.util.Objects.requireNonNull;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jobgate.access.Access;
import org.jobgate.access.Delegations;
import org.jobgate.delegation.gridsite.GridsiteDelegation;
import org.jobgate.delegation.gt4.DelegationFactory;
import org.jobgate.delegation.gt4.DelegationFaults;
import org.jobgate.delegation.gt4.DelegationResource;
import org.jobgate.delegation.gt4.Intake;
import org.jobgate.delegation.job.CredentialPolicy;
import org.jobgate.delegation.job.DelegatedJobCredentials;
import org.jobgate.delegation.vault.ChainAcceptance;
import org.jobgate.delegation.vault.ChainCheck;
import org.jobgate.delegation.vault.KeyPool;
import org.jobgate.delegation.vault.PendingKeys;
import org.jobgate.delegation.vault.SealedPasswords;
import org.jobgate.delegation.vault.ServiceKey;
import org.jobgate.delegation.vault.SiteKey;
import org.jobgate.delegation.vault.TokenAcceptance;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.delegation.vault.VaultDelegations;
import org.jobgate.door.DoorAddresses;
import org.jobgate.door.DoorContext;
import org.jobgate.door.FrontDoor;
import org.jobgate.door.Mount;
import org.jobgate.gt4.Gt4Dialect;
import org.jobgate.gt4.Gt4Mount;
import org.jobgate.gt4.WsdlDocuments;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.lrm.PrivateFiles;
import org.jobgate.soap.Dialect;
import org.jobgate.soap.SoapLimits;
import org.jobgate.soap.SoapService;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delegation as a whole: one vault, and the doors through which credentials come into it. */
public final class Delegation implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Delegation.class);
    private static final int ID_BYTES = 8;
    private static final String DOCUMENTS = "/org/jobgate/delegation/wsdl/";

    private final DelegationSettings settings;
    private final JobStore store;
    private final KeyPool keys;
    private final Vault vault;
    private final SealedPasswords passwords;
    private final ServiceKey serviceKey;
    private final ChainAcceptance acceptance;
    private final VaultDelegations ofCallers;
    private final Clock clock;
    private @Nullable Future<?> sweeping;
    private volatile @Nullable DelegatedJobCredentials jobCredentials;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("vault-sweep").daemon().factory());

    /**
     * Opens the vault.
     *
     * @throws IllegalStateException that says why the site key or what was sealed with it cannot be used
     */
    public Delegation(DelegationSettings settings, JobStore store, ChainCheck check, Clock clock, SecureRandom random) {
        this.settings = requireNonNull(settings, "settings is null");
        this.store = requireNonNull(store, "store is null");
        SiteKey siteKey = SiteKey.in(settings.siteKeyFile(), random);
        this.vault = Vault.open(store, siteKey, settings.vault(), clock);
        this.passwords = new SealedPasswords(store, siteKey, clock);
        this.keys = new KeyPool(settings.readyKeys(), random);
        this.serviceKey = ServiceKey.in(store, siteKey, keys, clock, random);
        this.acceptance = new ChainAcceptance(check, clock);
        PendingKeys pending = new PendingKeys(
                settings.pendingKeys(),
                settings.pendingKeysPerOwner(),
                settings.vault().requestLifetime(),
                clock);
        this.ofCallers =
                new VaultDelegations(vault, keys, pending, acceptance, new TokenAcceptance(clock), () -> newId(random));
        this.clock = clock;
    }

    private static String newId(SecureRandom random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * The credentials of jobs; made once.
     *
     * @param places where the files of an LRM's jobs are written, by the LRM's name
     */
    public JobCredentials jobCredentials(Function<String, Optional<PrivateFiles>> places, CredentialPolicy policy) {
        DelegatedJobCredentials made =
                new DelegatedJobCredentials(vault, passwords, keys, store, places, policy, clock, timer);
        jobCredentials = made;
        return made;
    }

    public Vault vault() {
        return vault;
    }

    /** The passwords that jobs have for single files. */
    public SealedPasswords passwords() {
        return passwords;
    }

    /** What doors give their callers, to delegate by signing a request. */
    public Delegations ofCallers() {
        return ofCallers;
    }

    public KeyPool keys() {
        return keys;
    }

    /** The door of the delegation services of GT4. */
    public FrontDoor gt4Door(DoorContext door) {
        DelegationFaults faults = new DelegationFaults(clock);
        return new CredentialDoor(
                DoorAddresses.DELEGATION,
                mount(
                        door,
                        new Gt4Dialect(faults::of),
                        gt4Services(Gt4Mount.baseUrl(door.url()), door.access(), faults)));
    }

    /** The door of gridsite's delegation service. */
    public FrontDoor gridsiteDoor(DoorContext door) {
        return new CredentialDoor(
                DoorAddresses.GRIDSITE, mount(door, Dialect.PLAIN, List.of(gridsiteService(door.access()))));
    }

    /** Gridsite's delegation service, for a door that has it among its own services. */
    public SoapService gridsiteService(Access access) {
        return new GridsiteDelegation(ofCallers, access, settings.version());
    }

    /**
     * The descriptions of gridsite's delegation service for a door that has it among its own services, by {@code Service?query}.
     *
     * @param baseUrl what the addresses of the door's services begin with, without a slash at the end
     */
    public static Function<String, Optional<byte[]>> gridsiteDocuments(String baseUrl) {
        WsdlDocuments all = new WsdlDocuments(baseUrl, Delegation.class, DOCUMENTS);
        return query -> query.startsWith(GridsiteDelegation.NAME + "?") ? all.find(query) : Optional.empty();
    }

    private Mount mount(DoorContext door, Dialect dialect, List<SoapService> services) {
        return Gt4Mount.of(
                door.url(),
                new SoapLimits(door.bodyBytes(), settings.xml()),
                dialect,
                Delegation.class,
                DOCUMENTS,
                services);
    }

    /** A door that keeps nothing of its own: the vault does. */
    private record CredentialDoor(String name, Mount mount) implements FrontDoor {
        @Override
        public List<Mount> mounts() {
            return List.of(mount);
        }
    }

    private List<SoapService> gt4Services(String publicBaseUrl, Access access, DelegationFaults faults) {
        Intake intake = new Intake(vault, serviceKey, acceptance, new TokenAcceptance(clock));
        return List.of(
                new DelegationFactory(
                        intake,
                        serviceKey,
                        access,
                        faults,
                        () -> UUID.randomUUID().toString(),
                        publicBaseUrl + "/DelegationService",
                        settings.queries()),
                new DelegationResource(vault, intake, access, faults, settings.queries(), clock));
    }

    /** Begins to watch for the ends of credentials, and to keep those of jobs fresh. */
    public void start() {
        DelegatedJobCredentials ofJobs = jobCredentials;
        if (ofJobs != null) {
            ofJobs.start();
        }
        long millis = settings.sweep().toMillis();
        sweeping = timer.scheduleWithFixedDelay(this::sweep, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** A sweep that fails is repeated in its time. */
    private void sweep() {
        try {
            vault.sweep();
            DelegatedJobCredentials ofJobs = jobCredentials;
            if (ofJobs != null) {
                ofJobs.sweep();
            }
        } catch (RuntimeException e) {
            LOG.error("Could not look for credentials that are over; it is tried again", e);
        }
    }

    @Override
    public void close() {
        if (sweeping != null) {
            sweeping.cancel(false);
        }
        timer.shutdownNow();
        keys.close();
    }
}
