// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.remote;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.jobgate.job.JobState;
import org.jobgate.job.NamedCredential;
import org.jobgate.job.Owner;
import org.jobgate.job.Resources;
import org.jobgate.job.SubmissionKey;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.lrm.CancelResult;
import org.jobgate.lrm.Lrm;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmThrottle;
import org.jobgate.lrm.LrmUnavailableException;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayLrmTest {

    private static final String NAME = "Other";
    private static final URI FACTORY = URI.create("https://other:8443/wsrf/services/ManagedJobFactoryService");
    private static final String JOB = "https://other:8443/wsrf/services/ManagedExecutableJobService?";
    private static final JobDescription DATE = JobDescription.of("/bin/date");

    private final FakeGateway other = new FakeGateway();
    private final List<LrmEvent> told = new ArrayList<>();

    private JobStore store;
    private GatewayLrm lrm;
    private RemoteJobStatus status;
    private JobId id;
    private boolean hasCredential = true;
    private int version = 1;
    private final List<JobDescription> written = new ArrayList<>();

    @BeforeEach
    void open(@TempDir Path directory) throws NoSuchAlgorithmException {
        store = TestStores.sqlite(directory);
        Clock clock = Clock.systemUTC();
        GatewaySettings settings =
                new GatewaySettings(NAME, FACTORY, "Fork", Duration.ofSeconds(5), LrmThrottle.unlimited(10));
        ClientCredential host = new ClientCredential("host", SSLContext.getDefault());
        GatewayCredentials credentials = new GatewayCredentials() {
            @Override
            public ClientCredential of(Job job, JobDescription description) {
                if (!hasCredential) {
                    throw new FaultException(
                            Fault.of(FaultCode.CREDENTIAL_UNUSABLE, "There is none.", "Delegate one."));
                }
                return host;
            }

            @Override
            public DelegableCredential forFiles(Job job, String key) throws LrmUnavailableException {
                if (version == 0) {
                    throw new LrmUnavailableException("the delegated credential has expired");
                }
                return new DelegableCredential(key + version, request -> key + version + " signs the " + request);
            }
        };
        JobWriter writer = (out, description) -> written.add(description);
        lrm = new GatewayLrm(settings, writer, credentials, store, clock, other);
        GatewayClient client = new GatewayClient(settings, writer, other);
        status = new RemoteJobStatus(
                settings,
                client,
                credentials,
                new HandedCredentials(settings, client, credentials, store, clock),
                store,
                clock);
        id = JobId.create(clock, new Random(1));
        store(id, "1", DATE);
    }

    private void store(JobId job, String key, JobDescription description) {
        Job created = Job.create(
                job,
                new SubmissionKey("/CN=a", "test", key),
                "trial",
                new Owner("/CN=a", "a"),
                NAME,
                null,
                Clock.systemUTC().instant(),
                null);
        store.create(new NewJob(created, description, List.of())).join();
    }

    @AfterEach
    void close() {
        lrm.close();
        store.close();
    }

    private SubmitResult submit(boolean mayExist) {
        return lrm.submit("a", List.of(new Lrm.SubmitRequest(id, DATE, mayExist)))
                .getFirst();
    }

    private CancelResult cancel(String... localIds) {
        return lrm.cancel("a", List.of(new Lrm.LrmJob(id, List.of(localIds)))).getFirst();
    }

    private Job there(String properties) {
        other.properties.put("key-0", properties);
        return store.find(id).orElseThrow().withLocalIds(List.of(JOB + "key-0"));
    }

    private LrmEvent.End end(String properties) throws Exception {
        LrmEvent event = status.news(there(properties)).orElseThrow();
        assertThat(event.kind()).isEqualTo(LrmEvent.Kind.ENDED);
        return requireNonNull(event.end());
    }

    @Test
    void itIsSubmittedUnderItsOwnIdAndNamedByItsAddressThere() {
        assertThat(submit(false)).isEqualTo(new SubmitResult.Accepted(List.of(JOB + "key-0")));
        assertThat(other.keys).containsOnlyKeys(id.toString());
    }

    @Test
    void aLostAnswerIsUnclearAndItsRepetitionStartsNoSecond() {
        other.losesAnswers = true;
        assertThat(submit(false)).isInstanceOf(SubmitResult.Unclear.class);
        other.losesAnswers = false;

        assertThat(submit(true)).isEqualTo(new SubmitResult.Accepted(List.of(JOB + "key-0")));
        assertThat(other.keys).hasSize(1);
    }

    @Test
    void oneThatWentWellUnheardIsFoundAlthoughItsRepetitionIsRefused() {
        other.losesAnswers = true;
        submit(false);
        other.losesAnswers = false;
        other.refusal = "serviceLevelAgreementFault";

        assertThat(submit(true)).isEqualTo(new SubmitResult.Accepted(List.of(JOB + "key-0")));
    }

    @Test
    void aRefusalIsOneOnlyWhereItIsFinal() {
        other.refusal = "serviceLevelAgreementFault";
        assertThat(submit(true)).isInstanceOfSatisfying(SubmitResult.Refused.class, refused -> {
            assertThat(refused.fault().code()).isEqualTo(FaultCode.INVALID_DESCRIPTION);
            assertThat(refused.fault().sentence()).contains("other:8443", "it is not wanted");
        });
        other.refusal = "internalFault";
        assertThat(submit(false)).isInstanceOf(SubmitResult.Unclear.class);
        other.refusal = "BaseFault";
        assertThat(submit(false)).isInstanceOf(SubmitResult.Unclear.class);
    }

    @Test
    void theRestOfABatchDoesNotWaitForAGatewayThatIsAway() {
        other.away = true;
        Lrm.SubmitRequest request = new Lrm.SubmitRequest(id, DATE, false);
        assertThat(lrm.submit("a", List.of(request, request)))
                .hasSize(2)
                .allMatch(SubmitResult.Unclear.class::isInstance);
        assertThat(cancel(JOB + "key-0")).isInstanceOf(CancelResult.Unclear.class);
    }

    @Test
    void withoutACredentialItIsRefusedAndNothingIsSent() {
        hasCredential = false;
        assertThat(submit(false)).isInstanceOf(SubmitResult.Refused.class);
        assertThat(other.asked).isEmpty();
    }

    @Test
    void resourcesThatCannotBeSaidThereAreRefusedByNameAndNothingIsSent() {
        JobDescription asking = DATE.toBuilder()
                .resources(Resources.builder().slots(2).wholeNodes(true).build())
                .build();

        assertThat(lrm.submit("a", List.of(new Lrm.SubmitRequest(id, asking, false))))
                .singleElement()
                .isInstanceOfSatisfying(
                        SubmitResult.Refused.class,
                        refused -> assertThat(refused.fault().sentence()).contains("slots, whole_nodes"));
        assertThat(other.asked).isEmpty();
        assertThat(lrm.capabilities().resources()).isEmpty();
        assertThat(lrm.suspends()).isEmpty();
    }

    /** A job that names a credential for itself and one for its files, which is the same for two uses. */
    private Lrm.SubmitRequest withFiles() {
        JobDescription description = DATE.toBuilder()
                .transfers(new TransferList(
                        List.of(new Transfer("https://a/in", "file:///in")), List.of(), List.of("file:///in")))
                .credentials(List.of(
                        NamedCredential.of(CredentialUse.JOB, "job"),
                        NamedCredential.of(CredentialUse.FILES, "files"),
                        NamedCredential.of(CredentialUse.STAGE_IN, "in"),
                        NamedCredential.of(CredentialUse.CLEAN_UP, "files")))
                .build();
        id = JobId.create(Clock.systemUTC(), new Random(2));
        store(id, "2", description);
        return new Lrm.SubmitRequest(id, description, false);
    }

    @Test
    void filesGoWithTheJobAndTheirCredentialsAreDelegatedUnderNamesOfTheJob() {
        Lrm.SubmitRequest request = withFiles();
        assertThat(lrm.movesFiles()).isTrue();
        assertThat(lrm.submit("a", List.of(request))).allMatch(SubmitResult.Accepted.class::isInstance);

        assertThat(other.credentials)
                .containsOnly(
                        Map.entry(id + "-0", "files1 signs the request of " + id + "-0"),
                        Map.entry(id + "-1", "in1 signs the request of " + id + "-1"));
        JobDescription sent = written.getLast();
        assertThat(sent.transfers()).isEqualTo(request.description().transfers());
        String address = "https://other:8443/wsrf/services/DelegationService";
        assertThat(sent.credentials())
                .containsExactly(
                        new NamedCredential(CredentialUse.FILES, id + "-0", address),
                        new NamedCredential(CredentialUse.STAGE_IN, id + "-1", address),
                        new NamedCredential(CredentialUse.CLEAN_UP, id + "-0", address));
    }

    @Test
    void aRepeatedSubmissionSaysTheSameAndLeavesOneCredentialOfEach() {
        Lrm.SubmitRequest request = withFiles();
        other.losesAnswers = true;
        assertThat(lrm.submit("a", List.of(request))).allMatch(SubmitResult.Unclear.class::isInstance);
        other.losesAnswers = false;
        lrm.submit("a", List.of(request));
        lrm.submit("a", List.of(new Lrm.SubmitRequest(id, request.description(), true)));

        assertThat(other.credentials).hasSize(2);
        assertThat(other.keys).hasSize(1);
        assertThat(written).hasSize(2);
        assertThat(written.getFirst()).isEqualTo(written.getLast());
    }

    @Test
    void withoutAUsableCredentialOfItsFilesAJobWaits() {
        Lrm.SubmitRequest request = withFiles();
        version = 0;

        assertThat(lrm.submit("a", List.of(request)))
                .singleElement()
                .isInstanceOfSatisfying(
                        SubmitResult.Unclear.class,
                        unclear -> assertThat(unclear.because()).contains("has expired"));
        assertThat(other.keys).isEmpty();
    }

    @Test
    void aRenewedCredentialIsDelegatedAnewOnceAndDestroyedWithTheJob() throws Exception {
        lrm.submit("a", List.of(withFiles()));
        Job job = there("<state>StageIn</state>");
        status.news(job);
        version = 2;
        status.news(job);
        assertThat(other.credentials).containsEntry(id + "-0", "files2 signs the request of " + id + "-0");
        int asked = other.asked.size();
        version = 0;
        assertThat(status.news(job))
                .as("the job is looked at although its credential is gone")
                .isEmpty();
        version = 2;
        status.news(job);
        assertThat(other.asked.subList(asked, other.asked.size())).doesNotContain("putProxy");

        lrm.forget("a", List.of(new Lrm.LrmJob(id, job.localIds())));
        assertThat(other.credentials).isEmpty();
    }

    @Test
    void aJobThatIsNotTakenLeavesNoCredentialThere() {
        other.refusal = "unsupportedFeatureFault";
        assertThat(lrm.submit("a", List.of(withFiles()))).allMatch(SubmitResult.Refused.class::isInstance);
        assertThat(other.credentials).isEmpty();
    }

    @Test
    void filesThatCouldNotBeMovedThereAreAFaultOfStaging() throws Exception {
        LrmEvent.End failed = end("<state>Failed</state><fault><stagingFault><Description>no such file</Description>"
                + "</stagingFault></fault>");
        assertThat(requireNonNull(failed.fault()).code()).isEqualTo(FaultCode.STAGING_FAILED);
    }

    @Test
    void aCancelOfOneThatIsPerhapsThereFindsItWithoutStartingIt() {
        lrm.watch(List.of(), (source, events) -> {
            told.addAll(events);
            return CompletableFuture.completedFuture(null);
        });
        assertThat(cancel()).isInstanceOf(CancelResult.NotThere.class);
        assertThat(other.keys).isEmpty();

        submit(false);
        assertThat(cancel()).isInstanceOf(CancelResult.Ending.class);
        assertThat(told).extracting(LrmEvent::localIds).contains(List.of(JOB + "key-0"));
        assertThat(other.properties).containsValue("<state>UserTerminateDone</state>");
    }

    @Test
    void itsEndIsThatOfTheJobThere() throws Exception {
        assertThat(end("<state>Done</state><exitCode>7</exitCode>").exitCode()).isEqualTo(7);
        assertThat(end("<state>UserTerminateDone</state>").cause()).isEqualTo(LrmEvent.Cause.CANCELLED);
        LrmEvent.End failed =
                end("<state>Failed</state><fault><invalidPathFault><Description>no such file</Description>"
                        + "</invalidPathFault></fault>");
        Fault fault = requireNonNull(failed.fault());
        assertThat(fault.code()).isEqualTo(FaultCode.EXECUTABLE_NOT_FOUND);
        assertThat(fault.sentence()).contains("no such file");
    }

    @Test
    void onlyTheGatewaysOwnWordThatItIsGoneMakesItLost() throws Exception {
        Job job = there("<state>Active</state>");
        other.away = true;
        assertThatThrownBy(() -> status.news(job)).hasMessageContaining("connection refused");
        other.away = false;
        other.properties.clear();
        LrmEvent.End end = requireNonNull(status.news(job).orElseThrow().end());
        assertThat(end.cause()).isEqualTo(LrmEvent.Cause.LOST);
    }

    @Test
    void onlyNewsAreToldAndAnUnknownStateIsNone() throws Exception {
        assertThat(status.news(there("<state>Active</state>")).orElseThrow().kind())
                .isEqualTo(LrmEvent.Kind.STARTED);
        assertThat(status.news(there("<state>CleanUp</state>"))).isEmpty();
        assertThat(status.news(there("<state>Strange</state>"))).isEmpty();
        Job active = there("<state>Active</state>").withState(JobState.ACTIVE);
        assertThat(status.news(active)).isEmpty();
        other.properties.put("key-0", "<state>Pending</state>");
        assertThat(status.news(active).orElseThrow().kind()).isEqualTo(LrmEvent.Kind.REQUEUED);
    }

    @Test
    void aMissingCredentialIsSaidAndTheStateStays() throws Exception {
        Job job = there("<state>Done</state>");
        hasCredential = false;
        LrmEvent event = status.news(job).orElseThrow();
        assertThat(event.kind()).isEqualTo(LrmEvent.Kind.QUEUED);
        assertThat(event.note()).contains("There is none.");
    }

    @Test
    void aJobOfAnotherAddressIsNotAskedFor() throws Exception {
        Job job = store.find(id).orElseThrow().withLocalIds(List.of("https://old:1/x?key-0"));
        assertThat(status.news(job).orElseThrow().note()).contains("https://old:1/x?key-0");
        assertThat(other.asked).isEmpty();
    }

    @Test
    void onlyAnHttpsFactoryIsAnAddress() {
        for (String wrong : List.of(
                "http://a/ManagedJobFactoryService",
                "https://a/x",
                FACTORY + "?x",
                "https://u@a/ManagedJobFactoryService")) {
            assertThatThrownBy(() -> new GatewaySettings(
                            NAME, URI.create(wrong), null, Duration.ofSeconds(1), LrmThrottle.unlimited(1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
