// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static java.util.Objects.requireNonNull;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Later;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;
import org.jobgate.store.Writes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delegated credentials of everybody, in the store, sealed.
 *
 * <ul>
 *   <li>A credential belongs to the subject who delegated it. To everybody else it is not there.
 *   <li>Any number of jobs may use one. A renewal keeps its key; listeners are told.
 *   <li>What a call has done is on disk when it returns.
 *   <li>An expired credential can still be renewed for a while; one that its owner had end earlier is gone then.
 * </ul>
 */
public final class Vault {

    static final String KIND = "delegation.credential";

    private static final Logger LOG = LoggerFactory.getLogger(Vault.class);
    private static final int PAGE = 500;
    private static final int LOCKS = 64;

    private final JobStore store;
    private final SealedRecords records;
    private final VaultSettings settings;
    private final Clock clock;
    private final VaultIndex index = new VaultIndex();
    private final OpenedCredentials opened = new OpenedCredentials();
    private final List<VaultListener> listeners = new CopyOnWriteArrayList<>();

    /** By key: changes of one credential never overlap. */
    private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

    private Vault(JobStore store, SiteKey siteKey, VaultSettings settings, Clock clock) {
        this.store = requireNonNull(store, "store is null");
        this.records = new SealedRecords(KIND, siteKey);
        this.settings = requireNonNull(settings, "settings is null");
        this.clock = requireNonNull(clock, "clock is null");
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /**
     * The vault in the store.
     *
     * @throws IllegalStateException if there are credentials and the site key was made just now, so that none of them can be opened
     */
    public static Vault open(JobStore store, SiteKey siteKey, VaultSettings settings, Clock clock) {
        Vault vault = new Vault(store, siteKey, settings, clock);
        vault.readIndex();
        if (siteKey.isNew() && vault.size() > 0) {
            throw new IllegalStateException("The store holds " + vault.size()
                    + " delegated credentials, but the site key they were sealed with is missing. Put it back from the backup; or, to"
                    + " give the credentials up, let their owners delegate anew after deleting the records of kind "
                    + KIND + ".");
        }
        return vault;
    }

    private void readIndex() {
        String after = "";
        while (true) {
            List<DoorRecord> page = store.listRecords(KIND, after, PAGE);
            for (DoorRecord record : page) {
                String key = record.id().substring(record.id().indexOf('/') + 1);
                index.put(
                        String.valueOf(record.owner()),
                        key,
                        SealedRecords.isToken(record),
                        SealedRecords.times(record));
            }
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().id();
        }
    }

    /** Tells the listener of every change from now on. */
    public void listen(VaultListener listener) {
        listeners.add(requireNonNull(listener, "listener is null"));
    }

    /** How many credentials there are. */
    public int size() {
        return index.size();
    }

    /**
     * Keeps a proxy under this key, in the place of the one that is there.
     *
     * @param accepted what {@link ChainAcceptance} found good
     * @throws FaultException of code {@code LIMIT_EXCEEDED}, {@code STORE_UNAVAILABLE}, or {@code CREDENTIAL_UNUSABLE} where a token is there
     */
    public DelegatedCredential put(String key, ChainAcceptance.Accepted accepted, PrivateKey privateKey) {
        return put(proxy(key, accepted, privateKey), false);
    }

    /**
     * The same, but one that is there and lasts as long stays: nobody who uses it is to have a shorter one instead.
     *
     * @return what is kept under the key then
     */
    public DelegatedCredential putLonger(String key, ChainAcceptance.Accepted accepted, PrivateKey privateKey) {
        return put(proxy(key, accepted, privateKey), true);
    }

    private static DelegatedProxy proxy(String key, ChainAcceptance.Accepted accepted, PrivateKey privateKey) {
        return new DelegatedProxy(
                accepted.owner(),
                key,
                accepted.chain(),
                privateKey,
                accepted.limited(),
                accepted.expires(),
                accepted.expires());
    }

    /**
     * Keeps a token under this key, in the place of the one that is there.
     *
     * @param accepted what {@link TokenAcceptance} found good
     * @throws FaultException of code {@code LIMIT_EXCEEDED}, {@code STORE_UNAVAILABLE}, or {@code CREDENTIAL_UNUSABLE} where a proxy is there
     */
    public DelegatedCredential put(String key, TokenAcceptance.Accepted accepted) {
        return put(
                new DelegatedToken(accepted.owner(), key, accepted.token(), accepted.expires(), accepted.expires()),
                false);
    }

    private DelegatedCredential put(DelegatedCredential credential, boolean isOnlyIfLonger) {
        String owner = credential.owner();
        ReentrantLock lock = lock(credential.key());
        lock.lock();
        try {
            Optional<DoorRecord> before = store.findRecord(KIND, SealedRecords.id(owner, credential.key()));
            if (before.isEmpty()) {
                checkLimits(owner);
            } else if (!SealedRecords.isAlike(before.get(), credential)) {
                throw new FaultException(Fault.of(
                        FaultCode.CREDENTIAL_UNUSABLE,
                        "A proxy cannot take the place of a token, nor a token that of a proxy: its jobs look for what they began with.",
                        "Delegate it as a credential of its own."));
            } else if (isOnlyIfLonger) {
                Optional<DelegatedCredential> lasting = lasting(before.get(), credential);
                if (lasting.isPresent()) {
                    return lasting.get();
                }
            }
            keep(credential, before.map(DoorRecord::created).orElse(clock.instant()));
            if (before.isPresent()) {
                listeners.forEach(listener -> listener.renewed(credential));
            }
            LOG.info("{}: {}", before.isPresent() ? "Renewed" : "Delegated", credential);
            return credential;
        } finally {
            lock.unlock();
        }
    }

    /** The one that is there, if it lasts as long; one that cannot be opened is of no use to anybody. */
    private Optional<DelegatedCredential> lasting(DoorRecord before, DelegatedCredential credential) {
        if (isOver(before) || SealedRecords.times(before).terminates().isBefore(credential.expires())) {
            return Optional.empty();
        }
        try {
            return Optional.of(records.read(before));
        } catch (GeneralSecurityException e) {
            LOG.warn(
                    "The credential {} cannot be opened with the site key, and another takes its place",
                    before.id(),
                    e);
            return Optional.empty();
        }
    }

    private void checkLimits(String owner) {
        settings.credentials().checkRoom(index.size() + 1L, "delegated credentials in the service", Later.Room.SERVICE);
        settings.credentialsPerOwner()
                .checkRoom(index.countOf(owner) + 1L, "delegated credentials of " + owner, Later.Room.OWNER);
    }

    private void keep(DelegatedCredential credential, Instant created) {
        opened.forget(credential.owner(), credential.key());
        Writes.await(store.putRecord(records.write(credential, created)));
        index.put(credential.owner(), credential.key(), credential instanceof DelegatedToken, timesOf(credential));
    }

    /** The owner's credential of this key, usable or expired; empty if there is none. */
    public Optional<DelegatedCredential> find(String owner, String key) {
        DelegatedCredential known = opened.of(owner, key);
        if (known != null) {
            return isOver(timesOf(known), clock.instant()) ? Optional.empty() : Optional.of(known);
        }
        ReentrantLock lock = lock(key);
        lock.lock(); // nobody changes it between its reading and its being remembered
        try {
            Optional<DelegatedCredential> found = record(owner, key).map(this::opened);
            found.ifPresent(opened::put);
            return found;
        } finally {
            lock.unlock();
        }
    }

    private static SealedRecords.Times timesOf(DelegatedCredential credential) {
        return new SealedRecords.Times(credential.expires(), credential.terminates());
    }

    /**
     * The owner's credentials, in the order of their keys, without opening them.
     *
     * @param after the last key of the page before; absent for the first page
     */
    List<VaultIndex.Entry> list(String owner, @Nullable String after, int limit) {
        Instant now = clock.instant();
        return index.of(owner, after)
                .filter(entry -> !isOver(entry.times(), now))
                .limit(limit)
                .toList();
    }

    /** When the owner's credential of this key ends, which takes no opening. */
    public Optional<Instant> terminates(String owner, String key) {
        return record(owner, key).map(record -> SealedRecords.times(record).terminates());
    }

    private Optional<DoorRecord> record(String owner, String key) {
        return store.findRecord(KIND, SealedRecords.id(owner, key)).filter(record -> !isOver(record));
    }

    /** Nobody sees what only waits for the next sweep. */
    private boolean isOver(DoorRecord record) {
        SealedRecords.Times times = SealedRecords.times(record);
        return isOver(times, clock.instant());
    }

    private boolean isOver(SealedRecords.Times times, Instant now) {
        boolean isShortened = times.terminates().isBefore(times.expires());
        Instant end = isShortened ? times.terminates() : times.expires().plus(settings.keepExpired());
        return !end.isAfter(now);
    }

    private DelegatedCredential opened(DoorRecord record) {
        try {
            return records.read(record);
        } catch (GeneralSecurityException e) {
            LOG.error("The delegated credential {} cannot be opened with the site key", record.id(), e);
            throw new FaultException(Fault.of(
                    FaultCode.CREDENTIAL_UNUSABLE,
                    "The delegated credential cannot be opened: the site's key has changed since it was stored.",
                    "Delegate again; tell the site's administrator."));
        }
    }

    /**
     * Has the credential end at another time.
     *
     * @param time absent means at its expiry
     * @return when it ends; empty where the owner has none of this key
     * @throws FaultException of code {@code INVALID_TERMINATION_TIME} for a time after its expiry
     */
    public Optional<DelegatedCredential> endAt(String owner, String key, @Nullable Instant time) {
        ReentrantLock lock = lock(key);
        lock.lock();
        try {
            Optional<DoorRecord> record = record(owner, key);
            if (record.isEmpty()) {
                return Optional.empty();
            }
            DelegatedCredential before = opened(record.get());
            Instant wanted = time == null ? before.expires() : time;
            if (wanted.isAfter(before.expires())) {
                throw new FaultException(Fault.of(
                        FaultCode.INVALID_TERMINATION_TIME,
                        "The delegated credential expires at " + before.expires() + ": it cannot be kept until "
                                + wanted + ".",
                        "Refresh it with a longer proxy first."));
            }
            DelegatedCredential after = before.terminatingAt(wanted);
            keep(after, record.get().created());
            return Optional.of(after);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the credential; answers whether the owner had one of this key. */
    public boolean destroy(String owner, String key) {
        ReentrantLock lock = lock(key);
        lock.lock();
        try {
            if (record(owner, key).isEmpty()) {
                return false;
            }
            forget(owner, key);
            LOG.info("Destroyed: credential {} of {}", key, owner);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void forget(String owner, String key) {
        opened.forget(owner, key);
        Writes.await(store.deleteRecord(KIND, SealedRecords.id(owner, key)));
        index.remove(owner, key);
        listeners.forEach(listener -> listener.gone(owner, key));
    }

    /** Forgets what is over and warns of what will be soon. To be called now and then. */
    public void sweep() {
        Instant now = clock.instant();
        for (VaultIndex.Entry entry : index.matching(entry -> isOver(entry.times(), now))) {
            forgetIfOver(entry, now);
        }
        Instant soon = now.plus(settings.warnBefore());
        for (VaultIndex.Entry entry : index.matching(entry -> !entry.warned() && entry.endsBefore(soon))) {
            LOG.warn(
                    "The credential {} that {} delegated ends at {}; jobs that need it longer will wait for a renewal.",
                    entry.key(),
                    entry.owner(),
                    entry.times().terminates());
            listeners.forEach(listener ->
                    listener.endsSoon(entry.owner(), entry.key(), entry.times().terminates()));
            index.warned(entry);
        }
    }

    private void forgetIfOver(VaultIndex.Entry entry, Instant now) {
        ReentrantLock lock = lock(entry.key());
        lock.lock();
        try {
            Optional<DoorRecord> record = store.findRecord(KIND, SealedRecords.id(entry.owner(), entry.key()));
            if (record.isEmpty() || isOver(SealedRecords.times(record.get()), now)) {
                forget(entry.owner(), entry.key());
                LOG.info("Its time is over: credential {} of {}", entry.key(), entry.owner());
            }
        } finally {
            lock.unlock();
        }
    }

    private ReentrantLock lock(String key) {
        return locks[Math.floorMod(key.hashCode(), LOCKS)];
    }
}
