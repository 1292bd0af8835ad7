// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmThrottle;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.jobgate.store.TestStores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What trouble with the credential of one job's files does to this job, and not to others. */
class HandedCredentialsTest {

    private static final String NAME = "Other";
    private static final URI FACTORY = URI.create("https://other:8443/wsrf/services/ManagedJobFactoryService");
    private static final String JOB = "https://other:8443/wsrf/services/ManagedExecutableJobService?";

    private final FakeGateway other = new FakeGateway();
    private final List<LrmEvent> told = new ArrayList<>();
    private final Random random = new Random(1);

    private Instant now = Instant.now();
    private JobStore store;
    private GatewayLrm lrm;
    private RemoteJobStatus status;
    private GatewayWatch watch;

    /** What becomes of credentials by the key "files", before its signature. */
    private @Nullable RuntimeException trouble;

    private boolean isExpired;
    private int version = 1;

    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    };

    @BeforeEach
    void open(@TempDir Path directory) throws NoSuchAlgorithmException {
        store = TestStores.sqlite(directory);
        GatewaySettings settings =
                new GatewaySettings(NAME, FACTORY, "Fork", Duration.ofSeconds(5), LrmThrottle.unlimited(10));
        ClientCredential host = new ClientCredential("host", SSLContext.getDefault());
        GatewayCredentials credentials = new GatewayCredentials() {
            @Override
            public ClientCredential of(Job job, JobDescription description) {
                if (job.owner().account().equals("broken")) {
                    throw new IllegalStateException("this is a fault of the program");
                }
                return host;
            }

            @Override
            public DelegableCredential forFiles(Job job, String key) throws LrmUnavailableException {
                if (isExpired) {
                    throw new LrmUnavailableException("the delegated credential has expired");
                }
                return new DelegableCredential(key + version, request -> {
                    if (trouble != null) {
                        throw trouble;
                    }
                    return key + version + " signs";
                });
            }
        };
        JobWriter writer = (out, description) -> {};
        lrm = new GatewayLrm(settings, writer, credentials, store, clock, other);
        GatewayClient client = new GatewayClient(settings, writer, other);
        status = new RemoteJobStatus(
                settings,
                client,
                credentials,
                new HandedCredentials(settings, client, credentials, store, clock),
                store,
                clock);
        watch = new GatewayWatch(NAME, status, store, clock, () -> Duration.ofHours(1));
    }

    @AfterEach
    void close() {
        watch.close();
        lrm.close();
        store.close();
    }

    /** A job of this account that waits at the other gateway under this key, or is to go there where that is empty. */
    private Job job(String account, String key, boolean hasFiles) {
        JobDescription description = hasFiles ? withFiles() : JobDescription.of("/bin/date");
        JobId id = JobId.create(clock, random);
        Job job = Job.create(
                id,
                new SubmissionKey("/CN=" + account, "test", id.toString()),
                "trial",
                new Owner("/CN=" + account, account),
                NAME,
                null,
                now,
                null);
        if (!key.isEmpty()) {
            job = job.withState(JobState.PENDING).withLocalIds(List.of(JOB + key));
            other.properties.put(key, "<state>Active</state>");
        }
        store.create(new NewJob(job, description, List.of())).join();
        return store.find(id).orElseThrow();
    }

    private static JobDescription withFiles() {
        return JobDescription.of("/bin/date").toBuilder()
                .transfers(new TransferList(List.of(new Transfer("https://a/in", "file:///in")), List.of(), List.of()))
                .credentials(List.of(
                        NamedCredential.of(CredentialUse.JOB, "job"), NamedCredential.of(CredentialUse.FILES, "files")))
                .build();
    }

    private void round() throws InterruptedException {
        watch.round((source, events) -> {
            told.addAll(events);
            return CompletableFuture.completedFuture(events);
        });
    }

    private SubmitResult submit(Job job, boolean mayExist) {
        return lrm.submit("a", List.of(new Lrm.SubmitRequest(job.id(), withFiles(), mayExist)))
                .getFirst();
    }

    private long offers() {
        return other.asked.stream().filter("getProxyReq"::equals).count();
    }

    @Test
    void aFaultOfTheProgramWithOneJobIsToldOfThatJobAndTheOthersAreLookedAt() throws Exception {
        Job broken = job("broken", "key-0", true);
        Job good = job("alice", "key-1", false);

        round();

        assertThat(told).extracting(LrmEvent::tag).containsExactlyInAnyOrder(broken.id(), good.id());
        assertThat(told).anySatisfy(event -> {
            assertThat(event.tag()).isEqualTo(broken.id());
            assertThat(event.note()).contains("its own log says why").doesNotContain("fault of the program");
        });
        assertThat(watch.health().well()).isTrue();
    }

    @Test
    void aFaultOfTheProgramWithOneJobOfABatchLeavesTheOthersSubmitted() {
        Job broken = job("broken", "", true);
        Job good = job("alice", "", true);

        assertThat(lrm.submit(
                        "a",
                        List.of(
                                new Lrm.SubmitRequest(broken.id(), withFiles(), false),
                                new Lrm.SubmitRequest(good.id(), withFiles(), false))))
                .satisfiesExactly(
                        first -> assertThat(first).isInstanceOf(SubmitResult.Unclear.class),
                        second -> assertThat(second).isInstanceOf(SubmitResult.Accepted.class));
        assertThat(lrm.cancel("a", List.of(new Lrm.LrmJob(broken.id(), List.of()))))
                .allMatch(result -> result.toString().contains("its own log says why"));
    }

    @Test
    void whereOnlyTheDelegationServiceIsAwayJobsAreLookedAtAllTheSame() throws Exception {
        other.takesNoDelegation = true;
        Job first = job("alice", "key-0", true);
        Job second = job("bob", "key-1", true);

        round();

        assertThat(told).extracting(LrmEvent::tag).containsExactlyInAnyOrder(first.id(), second.id());
        assertThat(watch.health().well()).isTrue();
    }

    @Test
    void whereOnlyTheDelegationServiceIsAwayJobsWithoutFilesAreSubmitted() {
        other.takesNoDelegation = true;
        Job files = job("alice", "", true);
        Job none = job("alice", "", false);

        assertThat(lrm.submit(
                        "a",
                        List.of(
                                new Lrm.SubmitRequest(files.id(), withFiles(), false),
                                new Lrm.SubmitRequest(none.id(), JobDescription.of("/bin/date"), false))))
                .satisfiesExactly(
                        first -> assertThat(first).isInstanceOf(SubmitResult.Unclear.class),
                        second -> assertThat(second).isInstanceOf(SubmitResult.Accepted.class));
    }

    @Test
    void aGatewayThatIsAwayIsAskedForOneJobOfABatchOnly() {
        other.away = true;
        Lrm.SubmitRequest request = new Lrm.SubmitRequest(job("alice", "", true).id(), withFiles(), false);

        assertThat(lrm.submit("a", List.of(request, request)))
                .allSatisfy(result -> assertThat(result.toString()).contains("gives no clear answer"));
    }

    @Test
    void oneThatIsThereIsFoundAlthoughItsFilesCredentialCannotBeHanded() {
        Job job = job("alice", "", true);
        assertThat(submit(job, false)).isInstanceOf(SubmitResult.Accepted.class);

        version = 2;
        isExpired = true;
        assertThat(submit(job, true)).isInstanceOf(SubmitResult.Accepted.class);
        isExpired = false;
        trouble = new FaultException(Fault.of(FaultCode.CREDENTIAL_UNUSABLE, "It cannot sign.", "Delegate another."));
        assertThat(submit(job, true)).isInstanceOf(SubmitResult.Accepted.class);
        assertThat(submit(job("alice", "", true), true))
                .as("one that is not there")
                .isInstanceOf(SubmitResult.Refused.class);
        trouble = null;
        other.takesNoDelegation = true;
        assertThat(submit(job, true)).isInstanceOf(SubmitResult.Accepted.class);
        other.takesNoDelegation = false;
        other.refusedCredentials = "files";
        assertThat(submit(job, true)).isInstanceOf(SubmitResult.Accepted.class);
    }

    @Test
    void aVersionThatIsNotTakenIsOfferedAgainAfterMinutesAndANewOneAtOnce() throws Exception {
        Job job = job("alice", "key-0", true);
        other.refusedCredentials = "files";
        status.news(job);
        status.news(job);
        assertThat(offers()).isEqualTo(1);
        now = now.plus(Duration.ofMinutes(3));
        status.news(job);
        assertThat(offers()).isEqualTo(2);

        version = 2;
        other.refusedCredentials = "nothing";
        status.news(job);
        assertThat(other.credentials).containsEntry(job.id() + "-0", "files2 signs");
        status.news(job);
        assertThat(offers()).isEqualTo(3);
    }

    @Test
    void nothingIsHandedForAJobThatIsOver() throws Exception {
        Job job = job("alice", "key-0", true);
        end(job);
        status.news(job);
        assertThat(other.credentials).isEmpty();
        assertThat(offers()).isZero();
    }

    @Test
    void whatIsHandedWhileTheJobEndsIsDestroyed() throws Exception {
        Job job = job("alice", "key-0", true);
        other.beforeCredential = () -> {
            end(job);
            lrm.forget("a", List.of(new Lrm.LrmJob(job.id(), job.localIds())));
            other.properties.put("key-0", "<state>Active</state>");
        };
        status.news(job);
        assertThat(offers()).isEqualTo(1);
        assertThat(other.credentials).isEmpty();
    }

    private void end(Job job) {
        store.update(
                        job.id(),
                        old -> List.of(Step.of(
                                old.withState(JobState.DONE)
                                        .withOutcome(JobOutcome.done(0, null))
                                        .withEnded(Instant.now()),
                                "it is over")))
                .join();
    }
}
