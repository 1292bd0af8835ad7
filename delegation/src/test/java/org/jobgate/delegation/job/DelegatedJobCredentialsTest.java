// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.jobgate.delegation.TestGrid.BOB;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.jobgate.delegation.TestClock;
import org.jobgate.delegation.TestGrid;
import org.jobgate.delegation.TestTokens;
import org.jobgate.delegation.vault.ChainAcceptance;
import org.jobgate.delegation.vault.ChainCheck;
import org.jobgate.delegation.vault.Chains;
import org.jobgate.delegation.vault.KeyPool;
import org.jobgate.delegation.vault.SealedPasswords;
import org.jobgate.delegation.vault.SiteKey;
import org.jobgate.delegation.vault.TokenAcceptance;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.delegation.vault.VaultSettings;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.jobs.JobCredentials.Placement;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.PrivateFiles;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelegatedJobCredentialsTest {

    private static final TestGrid GRID = new TestGrid();
    private static final KeyPair SERVICE_KEYS = TestGrid.keys();
    private static final KeyPair JOB_KEYS = rsa(KeyPool.BITS);
    private static final Duration HOUR = Duration.ofHours(1);

    private final TestClock clock = new TestClock();
    private final Accounts accounts = new Accounts();
    private final List<JobId> woken = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    @TempDir
    private Path directory;

    private JobStore store;
    private KeyPool keys;
    private Vault vault;
    private DelegatedJobCredentials credentials;

    /** Files of accounts, in memory; can be out of reach. */
    private static final class Accounts implements PrivateFiles {
        private final Map<String, byte[]> files = new HashMap<>();
        private boolean isDown;
        private PublicKey keyOfAccount = JOB_KEYS.getPublic();

        @Override
        public String keep(String account, JobId job, String name, byte[] content) throws LrmUnavailableException {
            check();
            String path = "/home/" + account + "/" + job + "." + name;
            files.put(path, content);
            return path;
        }

        @Override
        public String keep(String account, JobId job, String name, byte[] before, String key, byte[] after)
                throws LrmUnavailableException {
            byte[] own = requireNonNull(files.get("/home/" + account + "/" + job + "." + key), "no such key");
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(before);
            all.writeBytes(own);
            all.writeBytes(after);
            return keep(account, job, name, all.toByteArray());
        }

        @Override
        public String key(String account, JobId job, String name) throws LrmUnavailableException {
            check();
            String path = "/home/" + account + "/" + job + "." + name;
            files.computeIfAbsent(path, absent -> pem(JOB_KEYS.getPrivate()).getBytes(StandardCharsets.US_ASCII));
            return pem(keyOfAccount);
        }

        private static String pem(Object part) {
            StringWriter text = new StringWriter();
            try (JcaPEMWriter out = new JcaPEMWriter(text)) {
                out.writeObject(part);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return text.toString();
        }

        @Override
        public void drop(String account, JobId job, String name) throws LrmUnavailableException {
            check();
            files.remove("/home/" + account + "/" + job + "." + name);
        }

        private void check() throws LrmUnavailableException {
            if (isDown) {
                throw new LrmUnavailableException("the worker is down");
            }
        }
    }

    private static KeyPair rsa(int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void open() {
        store = TestStores.sqlite(directory);
        keys = new KeyPool(2, new SecureRandom());
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true));
    }

    private void start(CredentialPolicy policy) {
        SiteKey siteKey = SiteKey.in(directory.resolve("site.key"), new SecureRandom());
        vault = Vault.open(store, siteKey, VaultSettings.defaults(), clock);
        credentials = new DelegatedJobCredentials(
                vault,
                new SealedPasswords(store, siteKey, clock),
                keys,
                store,
                lrm -> lrm.equals("Fork") ? Optional.of(accounts) : Optional.empty(),
                policy,
                clock,
                Runnable::run);
        credentials.onChange(woken::add);
        credentials.onNews((id, text) -> told.add(id + ": " + text));
        credentials.start();
    }

    @AfterEach
    void close() {
        keys.close();
        store.close();
    }

    private void delegate(Duration lifetime) {
        // with the test's clock ahead of the real one, proxies are made for its time
        Duration ahead = Duration.between(Instant.now(), clock.instant());
        List<X509Certificate> chain = GRID.proxyOfAlice(SERVICE_KEYS.getPublic(), lifetime.plus(ahead));
        vault.put(
                "k1",
                new ChainAcceptance(GRID.check(), clock).check(ALICE, chain, SERVICE_KEYS.getPublic()),
                SERVICE_KEYS.getPrivate());
    }

    private static JobDescription description(Duration wallTime) {
        return JobDescription.builder("/bin/true")
                .maxWallTime(wallTime)
                .credentials(List.of(new NamedCredential(CredentialUse.JOB, "k1", "https://gate/DelegationService")))
                .build();
    }

    private Job job(String subject) {
        Job job = unstored(subject);
        store.create(new NewJob(job, description(HOUR), List.of())).join();
        return job;
    }

    private static Job unstored(String subject) {
        return Job.create(
                JobId.create(Clock.systemUTC(), new Random()),
                new SubmissionKey(subject, "test", "id"),
                "trial",
                new Owner(subject, "alice"),
                "Fork",
                null,
                Instant.now(),
                null);
    }

    private String fileOf(Job job) {
        return "/home/alice/" + job.id() + ".proxy.pem";
    }

    private List<X509Certificate> chainOf(Job job) throws Exception {
        String pem = new String(accounts.files.get(fileOf(job)), StandardCharsets.US_ASCII);
        int from = pem.indexOf("-----BEGIN RSA");
        int to = pem.indexOf("-----BEGIN CERT", from);
        return Chains.ofPem(pem.substring(0, from) + pem.substring(to));
    }

    private PrivateKey keyOf(Job job) throws Exception {
        String pem = new String(accounts.files.get(fileOf(job)), StandardCharsets.US_ASCII);
        try (PEMParser parser = new PEMParser(new StringReader(pem.substring(pem.indexOf("-----BEGIN RSA"))))) {
            return new JcaPEMKeyConverter()
                    .getKeyPair((PEMKeyPair) parser.readObject())
                    .getPrivate();
        }
    }

    @Test
    void aJobGetsAProxyOfItsOwn() throws Exception {
        delegate(HOUR.plusMinutes(5));
        Job job = job(ALICE);
        Placement placement = credentials.place(job, description(HOUR));
        assertThat(placement).isEqualTo(new Placement.Placed(Map.of("X509_USER_PROXY", fileOf(job)), Optional.empty()));
        List<X509Certificate> chain = chainOf(job);
        ChainCheck.Verified verified = GRID.check().check(chain.toArray(X509Certificate[]::new));
        assertThat(verified.subject()).isEqualTo(ALICE);
        assertThat(chain).hasSize(3);
        assertThat(keyOf(job)).isNotEqualTo(SERVICE_KEYS.getPrivate());
    }

    @Test
    void aRenewalRewritesTheFilesOfTheJobsThatUseIt() throws Exception {
        delegate(HOUR);
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        Instant before = chainOf(job).getFirst().getNotAfter().toInstant();
        delegate(HOUR.multipliedBy(9));
        assertThat(chainOf(job).getFirst().getNotAfter().toInstant()).isAfter(before.plus(HOUR));
    }

    @Test
    void aRenewalThatAWorkerCouldNotWriteIsWrittenLater() throws Exception {
        delegate(HOUR);
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        Instant before = chainOf(job).getFirst().getNotAfter().toInstant();
        accounts.isDown = true;
        delegate(HOUR.multipliedBy(9));
        accounts.isDown = false;
        credentials.sweep();
        assertThat(chainOf(job).getFirst().getNotAfter().toInstant()).isAfter(before.plus(HOUR));
    }

    @Test
    void theKeyOfAJobsProxyCanStayInItsAccount() throws Exception {
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true, true));
        delegate(HOUR);
        Job job = job(ALICE);
        assertThat(credentials.place(job, description(HOUR.minusMinutes(5)))).isInstanceOf(Placement.Placed.class);
        List<X509Certificate> chain = chainOf(job);
        assertThat(GRID.check().check(chain.toArray(X509Certificate[]::new)).subject())
                .isEqualTo(ALICE);
        assertThat(chain.getFirst().getPublicKey()).isEqualTo(JOB_KEYS.getPublic());
        assertThat(keyOf(job)).isEqualTo(JOB_KEYS.getPrivate());

        delegate(HOUR.multipliedBy(9));
        List<X509Certificate> renewed = chainOf(job);
        assertThat(renewed.getFirst().getNotAfter()).isAfter(chain.getFirst().getNotAfter());
        assertThat(renewed.getFirst().getPublicKey()).isEqualTo(JOB_KEYS.getPublic());

        credentials.remove(job);
        assertThat(accounts.files).isEmpty();
    }

    @Test
    void anAccountThatGivesNoGoodKeyGetsNoProxy() {
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true, true));
        delegate(HOUR);
        accounts.keyOfAccount = rsa(1024).getPublic();
        assertThat(credentials.place(job(ALICE), description(HOUR)))
                .isInstanceOfSatisfying(
                        Placement.Unclear.class,
                        why -> assertThat(why.because()).contains("no RSA key of 2048 bits"));
    }

    private String delegateToken(Duration lifetime) {
        String token = TestTokens.until(clock.instant().plus(lifetime));
        vault.put("k1", new TokenAcceptance(clock).check(ALICE, token));
        return token;
    }

    @Test
    void aTokenIsTheJobsAsItIs() {
        String token = delegateToken(HOUR.plusMinutes(5));
        Job job = job(ALICE);
        String path = "/home/alice/" + job.id() + ".token";
        assertThat(credentials.place(job, description(HOUR)))
                .isEqualTo(new Placement.Placed(Map.of("BEARER_TOKEN_FILE", path), Optional.empty()));
        assertThat(accounts.files).containsOnlyKeys(path);
        assertThat(accounts.files.get(path)).asString(StandardCharsets.US_ASCII).isEqualTo(token);

        String renewed = delegateToken(HOUR.multipliedBy(9));
        assertThat(accounts.files.get(path)).asString(StandardCharsets.US_ASCII).isEqualTo(renewed);

        // the service dies here, and the job ends
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true));
        credentials.remove(job);
        assertThat(accounts.files).isEmpty();
        assertThat(store.countRecords(PlacedFiles.KIND)).isZero();
    }

    @Test
    void aTokenThatNeverCouldBeWrittenLeavesNothing() {
        delegateToken(HOUR);
        Job job = job(ALICE);
        accounts.isDown = true;
        assertThat(credentials.place(job, description(HOUR))).isInstanceOf(Placement.Unclear.class);
        accounts.isDown = false;
        // it may have been written, and only the answer lost
        accounts.files.put("/home/alice/" + job.id() + ".token", new byte[1]);
        credentials.remove(job);
        assertThat(accounts.files).isEmpty();
    }

    @Test
    void aTokenMovesFiles() {
        delegateToken(HOUR);
        JobDescription staging = JobDescription.builder("/bin/true")
                .credentials(List.of(NamedCredential.of(CredentialUse.FILES, "k1")))
                .build();
        assertThat(credentials.refusal(new Owner(ALICE, "alice"), staging)).isEmpty();
    }

    @Test
    void theFileGoesWithTheJob() {
        delegate(HOUR);
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        credentials.remove(job);
        assertThat(accounts.files).isEmpty();
        assertThat(store.countRecords(PlacedFiles.KIND)).isZero();
        credentials.remove(job);
        delegate(HOUR.multipliedBy(2));
        assertThat(accounts.files).isEmpty();
    }

    @Test
    void whereTheFileLiesIsKnownAlsoAfterTheNextStart() {
        delegate(HOUR);
        Job job = job(ALICE);
        assertThat(credentials.path(job.id())).isEmpty();
        credentials.place(job, description(HOUR));
        assertThat(credentials.path(job.id())).contains(fileOf(job));
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true));
        assertThat(credentials.path(job.id())).contains(fileOf(job));
        credentials.remove(job);
        assertThat(credentials.path(job.id())).isEmpty();
    }

    @Test
    void theOwnerIsToldOnceBeforeTheCredentialEnds() {
        delegate(HOUR.multipliedBy(2));
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        vault.sweep();
        assertThat(told).isEmpty();
        clock.advance(HOUR.plusMinutes(5));
        vault.sweep();
        vault.sweep();
        assertThat(told).singleElement().asString().startsWith(job.id() + ": The delegated credential k1 ends at ");
        delegate(HOUR.multipliedBy(2));
        vault.sweep();
        assertThat(told).hasSize(1);
    }

    @Test
    void credentialsAreDestroyedWithTheJobAlsoAfterTheNextStart() {
        delegate(HOUR);
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        credentials.destroyAfter(job, description(HOUR));
        credentials.sweep();
        assertThat(vault.find(ALICE, "k1")).isPresent();
        // the service dies here, and the job ends
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true));
        end(job);
        credentials.sweep();
        assertThat(vault.find(ALICE, "k1")).isEmpty();
        assertThat(store.countRecords(CredentialsToDestroy.KIND)).isZero();
    }

    @Test
    void credentialsOfAJobThatIsOverAreDestroyedAtOnceAndNobodyElses() {
        delegate(HOUR);
        Job foreign = end(job(BOB));
        credentials.destroyAfter(foreign, description(HOUR));
        assertThat(vault.find(ALICE, "k1")).isPresent();
        Job job = end(job(ALICE));
        credentials.destroyAfter(job, description(HOUR));
        assertThat(vault.find(ALICE, "k1")).isEmpty();
    }

    private Job end(Job job) {
        Job ended = job.withState(JobState.DONE)
                .withEnding(JobOutcome.done(0, null))
                .withEnded(clock.instant());
        return store.update(job.id(), now -> List.of(Step.of(ended, "test")))
                .join()
                .orElseThrow();
    }

    @Test
    void aFileThatCouldNotBeDeletedIsDeletedAfterTheNextStart() {
        delegate(HOUR);
        Job forgotten = unstored(ALICE);
        credentials.place(forgotten, description(HOUR));
        accounts.isDown = true;
        credentials.remove(forgotten);
        assertThat(accounts.files).hasSize(1);
        // the service dies here
        accounts.isDown = false;
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true));
        credentials.sweep();
        assertThat(accounts.files).isEmpty();
        assertThat(store.countRecords(PlacedFiles.KIND)).isZero();
    }

    @Test
    void anExpiredCredentialMakesTheJobWaitUntilItIsRenewed() {
        delegate(HOUR);
        clock.advance(HOUR.plusMinutes(1));
        Job job = job(ALICE);
        assertThat(credentials.place(job, description(HOUR)))
                .isInstanceOfSatisfying(
                        Placement.Waiting.class,
                        why -> assertThat(why.because()).contains("refresh"));
        assertThat(woken).isEmpty();
        delegate(HOUR);
        assertThat(woken).containsExactly(job.id());
        assertThat(credentials.place(job, description(HOUR))).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void aWaitingJobFailsWhenItsCredentialIsDestroyed() {
        delegate(HOUR);
        clock.advance(HOUR.plusMinutes(1));
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        vault.destroy(ALICE, "k1");
        assertThat(woken).containsExactly(job.id());
        assertThat(credentials.place(job, description(HOUR))).isInstanceOf(Placement.Refused.class);
    }

    @Test
    void aSiteMayHaveSuchJobsFail() {
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, false));
        delegate(HOUR);
        clock.advance(HOUR.plusMinutes(1));
        assertThat(credentials.place(job(ALICE), description(HOUR))).isInstanceOf(Placement.Refused.class);
    }

    @Test
    void aWorkerThatIsDownMakesTheAnswerUnclear() {
        delegate(HOUR);
        accounts.isDown = true;
        assertThat(credentials.place(job(ALICE), description(HOUR)))
                .isEqualTo(new Placement.Unclear("the worker is down"));
    }

    @Test
    void aSubmissionIsRefusedThatNamesNoCredentialOfItsOwners() {
        assertThat(refusal(ALICE, HOUR)).contains("there is none of yours");
        delegate(HOUR.multipliedBy(2));
        assertThat(refusal(ALICE, HOUR)).isEmpty();
        assertThat(refusal(BOB, HOUR)).contains("there is none of yours");
        clock.advance(HOUR.multipliedBy(3));
        assertThat(refusal(ALICE, HOUR)).contains("expired at");
    }

    private String refusal(String subject, Duration wallTime) {
        Optional<Fault> fault = credentials.refusal(new Owner(subject, "alice"), description(wallTime));
        fault.ifPresent(why -> assertThat(why.code()).isEqualTo(FaultCode.CREDENTIAL_UNUSABLE));
        return fault.map(Fault::sentence).orElse("");
    }

    @Test
    void aCredentialShorterThanTheJobIsTreatedAsTheSiteWants() {
        delegate(HOUR);
        assertThat(refusal(ALICE, HOUR.multipliedBy(2))).isEmpty();
        assertThat(credentials.place(job(ALICE), description(HOUR.multipliedBy(2))))
                .isInstanceOfSatisfying(
                        Placement.Placed.class,
                        placed -> assertThat(placed.warning()).isPresent());
        start(new CredentialPolicy(CredentialPolicy.Shorter.REFUSE, true));
        assertThat(refusal(ALICE, HOUR.multipliedBy(2))).contains("before the job's wall time limit");
        start(new CredentialPolicy(CredentialPolicy.Shorter.ACCEPT, true));
        assertThat(credentials.place(job(ALICE), description(HOUR.multipliedBy(2))))
                .isInstanceOfSatisfying(
                        Placement.Placed.class,
                        placed -> assertThat(placed.warning()).isEmpty());
    }
}
