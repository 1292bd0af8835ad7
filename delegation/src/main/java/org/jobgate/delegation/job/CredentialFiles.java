// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jobgate.delegation.vault.DelegatedCredential;
import org.jobgate.delegation.vault.DelegatedProxy;
import org.jobgate.delegation.vault.DelegatedToken;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.job.LoggedJob;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.PrivateFiles;
import org.jobgate.store.JobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credential files of jobs: written, rewritten and deleted by the workers of their accounts. What a worker cannot do at present is
 * remembered, in the store what must be deleted, and tried again.
 */
final class CredentialFiles {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialFiles.class);
    private static final String PROXY_NAME = "proxy.pem";
    private static final String KEY_NAME = "proxy.key";
    private static final String TOKEN_NAME = "token";
    private static final int LOCKS = 64;

    private final Vault vault;
    private final JobProxies proxies;
    private final JobStore store;
    private final Function<String, Optional<PrivateFiles>> places;
    private final PlacedFiles placed;
    private final Clock clock;
    private final boolean keysInAccount;
    private final Set<JobId> toRewrite = ConcurrentHashMap.newKeySet();
    private final Set<JobId> toDelete = ConcurrentHashMap.newKeySet();

    /** By job: what is written is always what the vault held last. */
    private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

    CredentialFiles(
            Vault vault,
            JobProxies proxies,
            JobStore store,
            Function<String, Optional<PrivateFiles>> places,
            boolean keysInAccount,
            Clock clock) {
        this.vault = vault;
        this.keysInAccount = keysInAccount;
        this.proxies = proxies;
        this.store = store;
        this.places = places;
        this.clock = clock;
        this.placed = new PlacedFiles(store, clock);
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /**
     * What became of writing a file.
     *
     * @param path empty if it could not be written
     * @param because why not
     */
    record Written(String path, String because) {}

    /** Jobs that ended while the service was down, or whose worker was, still have theirs. */
    void takeUp() {
        placed.read(file -> {
            boolean isOver =
                    store.find(file.job()).map(job -> job.state().isTerminal()).orElse(true);
            (isOver ? toDelete : toRewrite).add(file.job());
        });
    }

    Written place(Job job, String key) {
        ReentrantLock lock = lock(job.id());
        lock.lock();
        try {
            placed.put(job, key);
            return written(job.id());
        } catch (LrmUnavailableException e) {
            return new Written("", String.valueOf(e.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    /** The caller holds the job's lock. */
    private Written written(JobId job) throws LrmUnavailableException {
        PlacedFiles.Placed file = placed.of(job).orElseThrow();
        Optional<DelegatedCredential> credential =
                vault.find(file.owner(), file.key()).filter(found -> found.isUsable(clock.instant()));
        if (credential.isEmpty()) {
            return new Written("", "the credential has just expired or been destroyed");
        }
        String path = switch (credential.get()) {
            case DelegatedProxy proxy -> kept(file, proxy);
            case DelegatedToken token ->
                place(file).keep(file.account(), job, TOKEN_NAME, token.token().getBytes(StandardCharsets.US_ASCII));
        };
        placed.lies(job, path);
        return new Written(path, "");
    }

    private String kept(PlacedFiles.Placed file, DelegatedProxy proxy) throws LrmUnavailableException {
        PrivateFiles place = place(file);
        String account = file.account();
        if (!keysInAccount) {
            return place.keep(account, file.job(), PROXY_NAME, proxies.of(proxy, account));
        }
        JobProxies.Signed signed = proxies.over(proxy, place.key(account, file.job(), KEY_NAME));
        return place.keep(account, file.job(), PROXY_NAME, signed.before(), KEY_NAME, signed.after());
    }

    private PrivateFiles place(PlacedFiles.Placed file) throws LrmUnavailableException {
        return places.apply(file.lrm())
                .orElseThrow(
                        () -> new LrmUnavailableException("the LRM " + file.lrm() + " is not configured any more"));
    }

    /** Where the job's file lies; absent where it has none, or none yet. */
    Optional<String> path(JobId job) {
        return placed.of(job).map(PlacedFiles.Placed::path).filter(path -> !path.isEmpty());
    }

    /** The jobs whose file comes from this credential. */
    List<JobId> from(String owner, String key) {
        return placed.from(owner, key).stream().map(PlacedFiles.Placed::job).toList();
    }

    /** Has the files that come from this credential written anew, by the next sweep at the latest. */
    void renew(String owner, String key) {
        placed.from(owner, key).forEach(file -> toRewrite.add(file.job()));
    }

    void remove(JobId job) {
        toRewrite.remove(job);
        if (placed.of(job).isPresent() && !deleted(job)) {
            toDelete.add(job);
        }
    }

    void sweep() {
        swept(toRewrite, this::rewritten);
        swept(toDelete, this::deleted);
    }

    /** One job whose file makes trouble does not keep those of others from being written and deleted. */
    private static void swept(Set<JobId> due, Predicate<JobId> isDone) {
        for (JobId job : Set.copyOf(due)) {
            try {
                if (isDone.test(job)) {
                    due.remove(job);
                }
            } catch (RuntimeException e) {
                LoggedJob.says(
                        job, () -> LOG.error("The credential file of job {} makes trouble; it is tried again", job, e));
            }
        }
    }

    private boolean rewritten(JobId job) {
        ReentrantLock lock = lock(job);
        lock.lock();
        try {
            if (placed.of(job).isPresent()
                    && !toDelete.contains(job)
                    && !written(job).path().isEmpty()) {
                LoggedJob.says(job, () -> LOG.info("Wrote the renewed credential of job {}", job));
            }
            return true;
        } catch (FaultException e) {
            LoggedJob.says(
                    job,
                    () -> LOG.error("The renewed credential of job {} cannot be written: {}", job, e.getMessage()));
            return true;
        } catch (LrmUnavailableException e) {
            LoggedJob.says(
                    job,
                    () -> LOG.warn(
                            "The renewed credential of job {} could not be written, it is tried again: {}",
                            job,
                            e.getMessage()));
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean deleted(JobId job) {
        ReentrantLock lock = lock(job);
        lock.lock();
        try {
            Optional<PlacedFiles.Placed> file = placed.of(job);
            if (file.isPresent()) {
                PrivateFiles place = place(file.get());
                for (String name : names(file.get())) {
                    place.drop(file.get().account(), job, name);
                }
                placed.remove(job);
            }
            return true;
        } catch (LrmUnavailableException e) {
            LoggedJob.says(
                    job,
                    () -> LOG.warn(
                            "The credential of job {} could not be deleted, it is tried again: {}",
                            job,
                            e.getMessage()));
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** What its files may be called. As long as no path is known, and whatever the site wanted then, they may be any. */
    private static List<String> names(PlacedFiles.Placed file) {
        return file.path().endsWith("." + TOKEN_NAME)
                ? List.of(TOKEN_NAME)
                : file.path().isEmpty() ? List.of(PROXY_NAME, KEY_NAME, TOKEN_NAME) : List.of(PROXY_NAME, KEY_NAME);
    }

    private ReentrantLock lock(JobId job) {
        return locks[Math.floorMod(job.hashCode(), LOCKS)];
    }
}
