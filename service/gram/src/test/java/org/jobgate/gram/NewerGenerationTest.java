// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What GT 4.2 has otherwise than GT 4.0, at the same addresses. */
class NewerGenerationTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final Generation GT42 = Generation.GT42;
    private static final Door DOOR = new Door(Clock.systemUTC());

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static Job submit() {
        return DOOR.jobs
                .submit(new Submission(
                        Door.ORIGIN,
                        new Owner(Door.ALICE, "alice"),
                        null,
                        "Fork",
                        JobDescription.of("/bin/date"),
                        null))
                .job();
    }

    private static Job stored(JobId id) {
        return DOOR.store.find(id).orElseThrow();
    }

    private static Answer create(String content) {
        return DOOR.post(FACTORY, Envelopes42.create(content + Envelopes42.job()));
    }

    private static Answer terminate(JobId id, boolean destroys, boolean notifies) {
        return DOOR.post(JOB, Envelopes42.terminate(id, destroys, notifies));
    }

    private static void end(JobId id, FaultCode code) {
        JobOutcome outcome = JobOutcome.cancelled(Fault.of(code, "It was ended.", ""));
        DOOR.jobs.change(id, null, job -> job.withState(JobState.CANCELLED).withOutcome(outcome));
    }

    @Test
    void withoutAHeaderTheDefaultLrmIsMeantAndTheReplyIsInTheSameGeneration() {
        Answer answer = create("");

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        Job job = stored(JobId.parse(answer.one("ResourceID")));
        assertThat(job.lrm()).isEqualTo("Fork");
        assertThat(job.keepAfterEnd()).isEqualTo(Duration.ofDays(1));
        assertThat(answer.all("NewTerminationTime")).isEmpty();
        assertThat(answer.text()).contains(GT42.wsa()).doesNotContain(Generation.GT40.wsa());
        assertThat(answer.one("Action")).isEqualTo(GT42.gram() + "/ManagedJobFactoryPortType/createManagedJobResponse");
    }

    @Test
    void aJobOfTheOlderGenerationHasNoRuleForItsTimeAfterTheEnd() {
        Answer answer = DOOR.post(FACTORY, Envelopes.job("<d:executable>/bin/date</d:executable>"));

        assertThat(stored(JobId.parse(answer.one("ResourceID"))).keepAfterEnd()).isNull();
    }

    @Test
    void aTimeBeyondTheLongestLifetimeIsRefusedAndOneBeforeItIsNot() {
        Instant now = Instant.now();
        String late = now.plus(Duration.ofDays(366)).toString();
        String good = now.plus(Duration.ofDays(364)).toString();

        assertThat(create(Envelopes42.initialTime(late)).fault().name()).isEqualTo(refusedTime());
        assertThat(create(Envelopes42.initialTime("2001-01-01T00:00:00Z"))
                        .fault()
                        .name())
                .isEqualTo(refusedTime());
        assertThat(create(Envelopes42.initialTime(good)).status()).isEqualTo(200);
        JobId id = submit().id();
        assertThat(DOOR.post(JOB, Envelopes42.setTime(id, late)).fault().name()).isEqualTo(refusedTime());
        assertThat(DOOR.post(JOB, Envelopes42.setTime(id, good)).status()).isEqualTo(200);
    }

    private static javax.xml.namespace.QName refusedTime() {
        return GT42.lifetime("UnableToSetTerminationTimeFault");
    }

    @Test
    void aLifetimeCanBeADuration() {
        JobId id = submit().id();
        String body = "<SetTerminationTime xmlns=\"" + GT42.wsrl()
                + "\"><RequestedLifetimeDuration>PT2H</RequestedLifetimeDuration></SetTerminationTime>";

        assertThat(DOOR.post(JOB, Envelopes42.toJob(id, body)).status()).isEqualTo(200);

        assertThat(stored(id).terminationTime())
                .isBetween(
                        Instant.now().plus(Duration.ofMinutes(119)),
                        Instant.now().plus(Duration.ofMinutes(121)));
    }

    @Test
    void aJobThatIsNotHeldCannotBeReleased() {
        JobId id = submit().id();

        XmlElement fault = DOOR.post(JOB, Envelopes42.release(id)).fault();

        assertThat(fault.name()).isEqualTo(GT42.release("resourceNotReleasedFault"));
        DOOR.jobs.change(id, null, job -> job.withHolding(true));
        assertThat(DOOR.post(JOB, Envelopes42.release(id)).fault().name())
                .as("it waits for other jobs")
                .isEqualTo(GT42.release("resourceNotReleasedFault"));
        DOOR.jobs.state(id, JobState.PENDING);
        assertThat(DOOR.post(JOB, Envelopes42.release(id)).body().name()).isEqualTo(GT42.release("releaseResponse"));
        assertThat(stored(id).holding()).isFalse();
    }

    @Test
    void terminateTakesTheCredentialsWithTheJobOnlyIfItSaysSo() {
        JobId keeping = submit().id();
        assertThat(DOOR.post(JOB, Envelopes42.terminateKeepingCredentials(keeping))
                        .status())
                .isEqualTo(200);
        JobId losing = submit().id();
        terminate(losing, false, true);
        assertThat(DOOR.jobs.losingCredentials).contains(losing).doesNotContain(keeping);
    }

    @Test
    void aTerminatedJobIsCancelledAndStaysThere() {
        JobId id = submit().id();

        Answer answer = terminate(id, false, true);

        assertThat(answer.body().name()).isEqualTo(GT42.terminate("terminateResponse"));
        assertThat(stored(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(stored(id).isGone()).isFalse();
        assertThat(terminate(id, true, true).one("terminationCompleted")).isEqualTo("true");
        assertThat(terminate(id, true, true).fault().name()).isEqualTo(GT42.resource("ResourceUnknownFault"));
    }

    @Test
    void aTerminateEndsTheTellingUnlessItIsToGoOn() {
        JobId told = subscribed();
        JobId untold = subscribed();

        terminate(told, false, true);
        terminate(untold, false, false);

        assertThat(DOOR.store.recordsOf("gram.subscription", told)).hasSize(1);
        assertThat(DOOR.store.recordsOf("gram.subscription", untold)).isEmpty();
    }

    private static JobId subscribed() {
        Answer created = create(Envelopes42.subscribe("http://127.0.0.1:1/x"));
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return JobId.parse(created.all("ResourceID").getFirst());
    }

    @Test
    void aTerminateWithoutAFlagIsRefusedAndEndsNothing() {
        JobId id = submit().id();
        String body =
                "<terminate xmlns=\"" + GT42.gram() + "/terminate\"><destroyAfterCleanup>true</destroyAfterCleanup>"
                        + "<continueNotifying>maybe</continueNotifying></terminate>";

        assertThat(DOOR.post(JOB, Envelopes42.toJob(id, body)).clientFault()).contains("continueNotifying");
        assertThat(stored(id).state()).isEqualTo(JobState.UNSUBMITTED);
    }

    @Test
    void anotherOwnersJobIsUnknownToEverything() {
        JobId id = submit().id();
        for (String request : List.of(
                Envelopes42.terminate(id, true, false),
                Envelopes42.release(id),
                Envelopes42.setTime(id, "2026-12-01T00:00:00Z"),
                Envelopes42.property(id, "types:state"))) {
            Answer answer = DOOR.post(JOB, request, "Test-Subject", "/O=H9Test/CN=Bob");
            assertThat(answer.fault().name()).isEqualTo(GT42.resource("ResourceUnknownFault"));
        }
        assertThat(stored(id).state()).isEqualTo(JobState.UNSUBMITTED);
    }

    @ParameterizedTest
    @CsvSource({
        "CANCELLED_BY_USER, UserTerminateDone,",
        "STAGING_FAILED, UserTerminateFailed, stagingTerminateFault",
        "CANCELLED_BY_ADMINISTRATOR, Failed, fault",
        "LIFETIME_EXPIRED, Failed, jobResourceExpiredFault"
    })
    void whoEndedAJobIsSeenInItsStateAndItsFault(FaultCode code, String state, String fault) {
        JobId id = submit().id();
        end(id, code);

        assertThat(DOOR.post(JOB, Envelopes42.property(id, "types:state")).one("state"))
                .isEqualTo(state);
        XmlElement answered =
                DOOR.post(JOB, Envelopes42.property(id, "faults:fault")).body();
        if (fault == null) {
            assertThat(answered.children()).isEmpty();
        } else {
            XmlElement inside = answered.children().getFirst().children().getFirst();
            assertThat(inside.name()).isEqualTo(GT42.faults(fault));
        }
        assertThat(DOOR.post(JOB, Envelopes.property(id.toString(), "types:state"))
                        .one("state"))
                .isEqualTo("Failed");
    }

    @Test
    void theLocalIdsAreAProperty() {
        JobId id = submit().id();
        DOOR.jobs.change(id, null, job -> job.withLocalIds(List.of("a", "b")));

        assertThat(DOOR.post(JOB, Envelopes42.property(id, "exec:localJobId")).one("localJobId"))
                .isEqualTo("a,b");
    }

    @Test
    void aPropertyOfTheOlderGenerationIsUnknownAndSoIsItsOperation() {
        JobId id = submit().id();

        assertThat(DOOR.post(JOB, Envelopes42.property(id, "wsnt:Topic"))
                        .fault()
                        .name())
                .isEqualTo(GT42.properties("InvalidResourcePropertyQNameFault"));
        assertThat(DOOR.post(
                                JOB,
                                Envelopes.of(
                                        Envelopes.resource(id.toString()),
                                        "<t:terminate xmlns:t=\"" + Generation.GT40.gram() + "/terminate\"/>"))
                        .clientFault())
                .contains("has no operation");
    }

    @Test
    void aRequestThatIsNoneOfOursIsAnsweredInTheGenerationOfItsHeaders() {
        String request = Envelopes42.of("", "<x:nothing xmlns:x=\"urn:x\"/>");

        Answer answer = DOOR.post(FACTORY, request);

        assertThat(answer.clientFault()).contains("nothing");
        assertThat(answer.text()).contains(GT42.wsa());
    }
}
