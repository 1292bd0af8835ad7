// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.jobgate.delegation.TestGrid.BOB;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jobgate.delegation.TestTokens;
import org.jobgate.delegation.vault.ChainAcceptance;
import org.jobgate.delegation.vault.ChainCheck;
import org.jobgate.delegation.vault.Chains;
import org.jobgate.delegation.vault.TokenAcceptance;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Owner;
import org.jobgate.jobs.JobCredentials.Placement;
import org.junit.jupiter.api.Test;

class DelegatedJobCredentialsTest extends JobCredentialsRoom {

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
    void anOwnersKeyMayBeOfAnyKind() throws Exception {
        List<X509Certificate> delegated =
                GRID.proxyOfAliceWith("EC", "SHA256withECDSA", SERVICE_KEYS.getPublic(), HOUR.plusMinutes(5));
        vault.put(
                "k1",
                new ChainAcceptance(GRID.check(), clock).check(ALICE, delegated, SERVICE_KEYS.getPublic()),
                SERVICE_KEYS.getPrivate());
        Job job = job(ALICE);
        assertThat(credentials.place(job, description(HOUR))).isInstanceOf(Placement.Placed.class);
        assertThat(GRID.check()
                        .check(chainOf(job).toArray(X509Certificate[]::new))
                        .subject())
                .isEqualTo(ALICE);
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
}
