// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jobgate.delegation.vault.DelegatedCredential;
import org.jobgate.delegation.vault.DelegatedToken;
import org.jobgate.delegation.vault.KeyPool;
import org.jobgate.delegation.vault.SealedPasswords;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.delegation.vault.VaultListener;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Owner;
import org.jobgate.job.ShortText;
import org.jobgate.jobs.FilePassword;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.lrm.PrivateFiles;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.JobStore;

/**
 * Gives jobs the credentials that their descriptions name: as a file of the job's account, which {@code X509_USER_PROXY} names if it is a
 * proxy and {@code BEARER_TOKEN_FILE} if it is a token, rewritten when the credential is renewed, and deleted at the job's end.
 */
public final class DelegatedJobCredentials implements JobCredentials, VaultListener {

    static final String PROXY_VARIABLE = "X509_USER_PROXY";

    /** WLCG Bearer Token Discovery, version 1.0, section 3. */
    static final String TOKEN_VARIABLE = "BEARER_TOKEN_FILE";

    private final Vault vault;
    private final CredentialFiles files;
    private final SealedPasswords passwords;
    private final CredentialsToDestroy toDestroy;
    private final CredentialPolicy policy;
    private final Clock clock;
    private final Executor soon;

    /** The jobs that wait for a credential, with its key. */
    private final Map<JobId, String> waiting = new ConcurrentHashMap<>();

    private volatile Consumer<JobId> listener = id -> {};
    private volatile BiConsumer<JobId, String> news = (id, text) -> {};

    /**
     * @param passwords of single files, which are removed at the job's end too
     * @param places where the files of an LRM's jobs are written, by the LRM's name
     * @param soon writes renewed files, so that the client that renews a credential does not wait for the workers
     */
    public DelegatedJobCredentials(
            Vault vault,
            SealedPasswords passwords,
            KeyPool keys,
            JobStore store,
            Function<String, Optional<PrivateFiles>> places,
            CredentialPolicy policy,
            Clock clock,
            Executor soon) {
        this.vault = requireNonNull(vault, "vault is null");
        this.passwords = requireNonNull(passwords, "passwords is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.soon = requireNonNull(soon, "soon is null");
        this.files =
                new CredentialFiles(vault, new JobProxies(keys, clock), store, places, policy.keysInAccount(), clock);
        this.toDestroy = new CredentialsToDestroy(vault, store, clock);
    }

    /** Takes up what an earlier run of the service has placed, and listens to the vault from now on. */
    public void start() {
        files.takeUp();
        toDestroy.takeUp();
        vault.listen(this);
    }

    /** Writes and deletes what is due. To be called now and then. */
    public void sweep() {
        files.sweep();
        toDestroy.sweep();
    }

    @Override
    public Optional<String> path(JobId job) {
        return files.path(job);
    }

    @Override
    public void destroyAfter(Job job, JobDescription description) {
        toDestroy.put(
                job,
                description.credentials().stream()
                        .map(NamedCredential::key)
                        .collect(Collectors.toCollection(LinkedHashSet::new)));
        if (job.state().isTerminal()) {
            soon.execute(this::sweep);
        }
    }

    @Override
    public void onNews(BiConsumer<JobId, String> newListener) {
        news = requireNonNull(newListener, "newListener is null");
    }

    @Override
    public void endsSoon(String owner, String key, Instant end) {
        files.from(owner, key)
                .forEach(job -> news.accept(
                        job,
                        "The delegated credential " + shown(key) + " ends at " + end
                                + ". Refresh it if the job needs it longer."));
    }

    @Override
    public void onChange(Consumer<JobId> newListener) {
        listener = requireNonNull(newListener, "newListener is null");
    }

    @Override
    public boolean areWantedBy(JobDescription description) {
        return description.credential(CredentialUse.JOB).isPresent() || FilePassword.areIn(description);
    }

    @Override
    public Optional<Fault> refusal(Owner owner, JobDescription description) {
        Set<String> checked = new LinkedHashSet<>();
        for (NamedCredential named : description.credentials()) {
            if (checked.add(named.key())) {
                Optional<Fault> refusal = refusal(owner, description, named);
                if (refusal.isPresent()) {
                    return refusal;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Fault> refusal(Owner owner, JobDescription description, NamedCredential named) {
        String key = named.key();
        CredentialUse use = named.use();
        Optional<Instant> ends = vault.terminates(owner.subject(), key);
        if (ends.isEmpty()) {
            return Optional.of(unknown(use, key));
        }
        if (!ends.get().isAfter(clock.instant())) {
            return Optional.of(Fault.of(
                            FaultCode.CREDENTIAL_UNUSABLE,
                            "The delegated credential " + shown(key) + " expired at " + ends.get() + ".",
                            "Refresh it, or delegate again, and submit then.")
                    .about(part(use), shown(key)));
        }
        boolean isTooShort = policy.shorter() == CredentialPolicy.Shorter.REFUSE && isShorter(ends.get(), description);
        return isTooShort
                ? Optional.of(Fault.of(FaultCode.CREDENTIAL_UNUSABLE, shortness(key, ends.get()), "Refresh it first.")
                        .about(part(use), shown(key)))
                : Optional.empty();
    }

    private static Fault unknown(CredentialUse use, String key) {
        return Fault.of(
                        FaultCode.CREDENTIAL_UNUSABLE,
                        "Unable to use delegated credentials: there is none of yours with the key " + shown(key) + ".",
                        "Delegate to this gateway with the credential that you submit with, and name what it answers.")
                .about(part(use), shown(key));
    }

    private boolean isShorter(Instant ends, JobDescription description) {
        Duration wanted = description.wallTimeLimit().orElse(Duration.ZERO);
        return ends.isBefore(clock.instant().plus(wanted));
    }

    private static String shortness(String key, Instant ends) {
        return "The delegated credential " + shown(key) + " ends at " + ends + ", before the job's wall time limit.";
    }

    private static DescriptionPart part(CredentialUse use) {
        return use == CredentialUse.JOB ? DescriptionPart.JOB_CREDENTIAL : DescriptionPart.FILE_CREDENTIAL;
    }

    private static String shown(String key) {
        return ShortText.of(key, 64);
    }

    @Override
    public Placement place(Job job, JobDescription description) {
        Optional<NamedCredential> named = description.credential(CredentialUse.JOB);
        if (named.isEmpty()) {
            return new Placement.Placed(Map.of(), Optional.empty());
        }
        String key = named.get().key();
        // before the look at the vault: a renewal between the two finds it waiting, and has it looked at once more
        waiting.put(job.id(), key);
        Optional<DelegatedCredential> credential;
        try {
            credential = vault.find(job.owner().subject(), key);
        } catch (FaultException e) {
            return refused(job, e.fault());
        }
        if (credential.isEmpty()) {
            return refused(job, unknown(CredentialUse.JOB, key));
        }
        if (credential.get().isUsable(clock.instant())) {
            waiting.remove(job.id());
            try {
                return placed(job, description, credential.get());
            } catch (FaultException e) {
                return refused(job, e.fault());
            }
        }
        String expired = "the delegated credential " + shown(key) + " expired at "
                + credential.get().terminates();
        return policy.waitsForRenewal()
                ? new Placement.Waiting("waits for its owner to refresh its credential: " + expired)
                : refused(
                        job,
                        Fault.of(
                                        FaultCode.CREDENTIAL_UNUSABLE,
                                        "The job could not be started in time: " + expired + ".",
                                        "Submit it again with a credential that lasts longer.")
                                .about(DescriptionPart.JOB_CREDENTIAL, shown(key)));
    }

    private Placement refused(Job job, Fault fault) {
        waiting.remove(job.id());
        return new Placement.Refused(fault);
    }

    private Placement placed(Job job, JobDescription description, DelegatedCredential credential) {
        CredentialFiles.Written written = files.place(job, credential.key());
        if (written.path().isEmpty()) {
            return new Placement.Unclear(written.because());
        }
        boolean warns =
                policy.shorter() == CredentialPolicy.Shorter.WARN && isShorter(credential.terminates(), description);
        return new Placement.Placed(
                Map.of(credential instanceof DelegatedToken ? TOKEN_VARIABLE : PROXY_VARIABLE, written.path()),
                warns
                        ? Optional.of(shortness(credential.key(), credential.terminates()) + " Refresh it in time.")
                        : Optional.empty());
    }

    @Override
    public DoorRecord sealed(JobId job, Owner owner, List<FilePassword> ofFiles) {
        return passwords.seal(job, owner, ofFiles);
    }

    @Override
    public void remove(Job job) {
        passwords.remove(job.id());
        waiting.remove(job.id());
        files.remove(job.id());
    }

    @Override
    public void renewed(DelegatedCredential credential) {
        files.renew(credential.owner(), credential.key());
        soon.execute(this::sweep);
        wake(credential.key());
    }

    @Override
    public void gone(String owner, String key) {
        wake(key);
    }

    /** Everybody who waits for a credential of this key; whose it is comes out when they look. */
    private void wake(String key) {
        waiting.forEach((job, wanted) -> {
            if (wanted.equals(key)) {
                listener.accept(job);
            }
        });
    }
}
