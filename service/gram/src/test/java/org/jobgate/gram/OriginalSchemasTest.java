// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import java.time.Duration;
import java.util.List;
import org.jobgate.gt4.Generation;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.soap.Capture;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that we send is valid by the original schemas. */
class OriginalSchemasTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final String FACTORY_MESSAGES = "gram/managed_job_factory_port_type.wsdl";
    private static final String JOBLESS = "00000000-0000-7000-8000-000000000000";
    private static final OriginalSchemas SCHEMAS = new OriginalSchemas(Generation.GT40);
    private static final Door DOOR = new Door();

    @BeforeEach
    void requireSchemas() {
        SCHEMAS.require();
    }

    @AfterEach
    void mend() {
        DOOR.jobs.refuseWith(null);
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static JobId submit() {
        JobDescription description = JobDescription.builder("/bin/echo")
                .directory("/tmp")
                .arguments(List.of("a", "${X}"))
                .environment(List.of(new EnvironmentVariable("A", "b")))
                .stdin("i")
                .stdout("o")
                .stderr("e")
                .count(2)
                .hostCount(1)
                .jobType(JobType.MPI)
                .libraryPath(List.of("/lib"))
                .queue("q")
                .project("p")
                .maxTime(Duration.ofMinutes(1))
                .maxWallTime(Duration.ofMinutes(2))
                .maxCpuTime(Duration.ofMinutes(3))
                .maxMemoryMiB(4L)
                .minMemoryMiB(5L)
                .holdAt(JobState.CLEAN_UP)
                .build();
        return DOOR.jobs
                .submit(new Submission(Door.ORIGIN, new Owner(Door.ALICE, "alice"), null, "Fork", description, null))
                .job()
                .id();
    }

    private static Answer property(JobId id, String name) {
        return DOOR.post(JOB, Envelopes.property(id.toString(), name));
    }

    @Test
    void theReplyOfASubmission() {
        Answer plain = DOOR.post(FACTORY, Envelopes.job("<d:executable>/bin/date</d:executable>"));
        SCHEMAS.validate(plain.body(), FACTORY_MESSAGES);
        Answer whole = DOOR.post(FACTORY, Capture.read("04").request());
        SCHEMAS.validate(whole.body(), FACTORY_MESSAGES);
    }

    @Test
    void everyPropertyOfAJob() {
        JobId id = submit();
        Fault fault = Fault.of(FaultCode.EXECUTION_FAILED, "It failed.", "").with(new Evidence("submit", 1, "x"));
        DOOR.jobs.change(
                id,
                null,
                job -> job.withState(JobState.FAILED)
                        .withOutcome(new JobOutcome(JobState.FAILED, 3, null, null, fault)));

        for (String name : List.of(
                "types:state", "types:holding", "types:exitCode", "faults:fault", "desc:serviceLevelAgreement")) {
            SCHEMAS.validate(property(id, name).body().children().getFirst());
        }
        SCHEMAS.validate(property(id, "types:userSubject").body().children().getFirst());
        for (String name : List.of("wsrl:CurrentTime", "wsrl:TerminationTime")) {
            SCHEMAS.validate(property(id, name).body().children().getFirst());
        }
        for (String name : List.of("wsnt:Topic", "wsnt:TopicExpressionDialects", "wsnt:FixedTopicSet")) {
            SCHEMAS.validate(property(id, name).body().children().getFirst());
        }
    }

    @Test
    void everyPropertyOfAFactory() {
        for (String name : List.of(
                "localResourceManager",
                "globusLocation",
                "hostCPUType",
                "hostOSName",
                "hostOSVersion",
                "delegationFactoryEndpoint",
                "stagingDelegationFactoryEndpoint")) {
            Answer answer = DOOR.post(FACTORY, Envelopes.property("Fork", "job:" + name));
            SCHEMAS.validate(answer.body().children().getFirst(), FACTORY_MESSAGES);
        }
    }

    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void everyFaultOfAJobAndOfARefusal(FaultCode code) {
        Fault fault = Fault.of(code, "It failed.", "Mend it.");
        JobId id = submit();
        DOOR.jobs.change(id, null, job -> job.withState(JobState.FAILED).withOutcome(JobOutcome.failed(fault)));
        SCHEMAS.validate(property(id, "faults:fault").body().children().getFirst());

        DOOR.jobs.refuseWith(new FaultException(fault));
        XmlElement refusal = DOOR.post(FACTORY, Envelopes.job("<d:executable>/bin/date</d:executable>"))
                .fault();
        // the schema of the faults imports the base faults, so both kinds of element are declared in it
        SCHEMAS.validate(refusal, "gram/managed_job_faults.xsd");
    }

    @Test
    void theFaultsOfTheSpecifications() {
        String id = submit().toString();
        SCHEMAS.validate(property(JobId.parse(id), "types:nothing").fault());
        SCHEMAS.validate(
                DOOR.post(JOB, Envelopes.property(JOBLESS, "types:state")).fault());
        SCHEMAS.validate(DOOR.post(JOB, Envelopes.destroy(JOBLESS)).fault());
        String subscribe = "<Subscribe xmlns=\"" + Generation.GT40.wsnt() + "\"/>";
        SCHEMAS.validate(
                DOOR.post(JOB, Envelopes.of(Envelopes.resource(id), subscribe)).fault());
        SCHEMAS.validate(DOOR.post(JOB, Envelopes.of(Envelopes.resource(JOBLESS), subscribe))
                .fault());
    }

    @Test
    void theRepliesOfLifetimesAndSubscriptions() {
        String id = submit().toString();
        String extend = "<SetTerminationTime xmlns=\"" + Generation.GT40.wsrl()
                + "\"><RequestedTerminationTime>2099-01-01T00:00:00Z</RequestedTerminationTime></SetTerminationTime>";
        SCHEMAS.validate(
                DOOR.post(JOB, Envelopes.of(Envelopes.resource(id), extend)).body());
        Capture subscribe = Capture.read("24");
        DOOR.jobs.put(
                Submission.of(Door.ORIGIN, new Owner(Door.ALICE, "alice"), "s", "Fork", JobDescription.of("/bin/date")),
                "11111111-2222-3333-4444-555555555555");
        SCHEMAS.validate(DOOR.post(JOB, subscribe.request()).body());
        SCHEMAS.validate(DOOR.post(JOB, Envelopes.destroy(id)).body());
    }
}
