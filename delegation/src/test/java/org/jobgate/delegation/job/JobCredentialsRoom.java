// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.delegation.TestGrid.ALICE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
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
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.jobgate.delegation.TestClock;
import org.jobgate.delegation.TestGrid;
import org.jobgate.delegation.vault.ChainAcceptance;
import org.jobgate.delegation.vault.KeyPool;
import org.jobgate.delegation.vault.SealedPasswords;
import org.jobgate.delegation.vault.SiteKey;
import org.jobgate.delegation.vault.Vault;
import org.jobgate.delegation.vault.VaultSettings;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.PrivateFiles;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Jobs with delegated credentials, whose accounts keep their files in memory. */
abstract class JobCredentialsRoom {

    static final TestGrid GRID = new TestGrid();
    static final KeyPair SERVICE_KEYS = TestGrid.keys();
    static final KeyPair JOB_KEYS = rsa(KeyPool.BITS);
    static final Duration HOUR = Duration.ofHours(1);

    final TestClock clock = new TestClock();
    final Accounts accounts = new Accounts();
    final List<JobId> woken = new ArrayList<>();
    final List<String> told = new ArrayList<>();

    @TempDir
    Path directory;

    JobStore store;
    KeyPool keys;
    Vault vault;
    DelegatedJobCredentials credentials;

    /** Files of accounts, in memory; can be out of reach. */
    static final class Accounts implements PrivateFiles {
        final Map<String, byte[]> files = new HashMap<>();
        boolean isDown;
        PublicKey keyOfAccount = JOB_KEYS.getPublic();

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

    static KeyPair rsa(int bits) {
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

    final void start(CredentialPolicy policy) {
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

    void delegate(Duration lifetime) {
        // with the test's clock ahead of the real one, proxies are made for its time
        Duration ahead = Duration.between(Instant.now(), clock.instant());
        List<X509Certificate> chain = GRID.proxyOfAlice(SERVICE_KEYS.getPublic(), lifetime.plus(ahead));
        vault.put(
                "k1",
                new ChainAcceptance(GRID.check(), clock).check(ALICE, chain, SERVICE_KEYS.getPublic()),
                SERVICE_KEYS.getPrivate());
    }

    static JobDescription description(Duration wallTime) {
        return JobDescription.builder("/bin/true")
                .maxWallTime(wallTime)
                .credentials(List.of(new NamedCredential(CredentialUse.JOB, "k1", "https://gate/DelegationService")))
                .build();
    }

    Job job(String subject) {
        Job job = unstored(subject);
        store.create(new NewJob(job, description(HOUR), List.of())).join();
        return job;
    }

    static Job unstored(String subject) {
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

    String fileOf(Job job) {
        return "/home/alice/" + job.id() + ".proxy.pem";
    }

    String refusal(String subject, Duration wallTime) {
        Optional<Fault> fault = credentials.refusal(new Owner(subject, "alice"), description(wallTime));
        fault.ifPresent(why -> assertThat(why.code()).isEqualTo(FaultCode.CREDENTIAL_UNUSABLE));
        return fault.map(Fault::sentence).orElse("");
    }
}
