// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import java.util.List;
import java.util.stream.Stream;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Evidence;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Capture;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that we send in GT 4.2's form is valid by its original schemas. */
class OriginalSchemas42Test {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String JOB = "ManagedExecutableJobService";
    private static final JobId NOBODY = JobId.parse("00000000-0000-7000-8000-000000000000");
    private static final OriginalSchemas SCHEMAS = new OriginalSchemas(Generation.GT42);
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
        JobDescription description = JobDescription.of("/bin/date", "-u", "${X}");
        Owner owner = new Owner(Door.ALICE, "alice");
        return DOOR.jobs
                .submit(new Submission(Door.ORIGIN, owner, null, "Fork", description, null))
                .job()
                .id();
    }

    private static void validateProperty(String service, String envelope) {
        SCHEMAS.validate(DOOR.post(service, envelope).body().children().getFirst());
    }

    @Test
    void theReplyOfASubmission() {
        String time = Envelopes42.initialTime("2026-12-01T00:00:00Z");
        SCHEMAS.validate(
                DOOR.post(FACTORY, Envelopes42.create(Envelopes42.job())).body());
        SCHEMAS.validate(
                DOOR.post(FACTORY, Envelopes42.create(time + Envelopes42.job())).body());
        SCHEMAS.validate(DOOR.post(FACTORY, Capture.read("50").request()).body());
    }

    @Test
    void everyPropertyOfAJob() {
        JobId id = submit();
        Fault fault = Fault.of(FaultCode.EXECUTION_FAILED, "It failed.", "").with(new Evidence("submit", 1, "x"));
        JobOutcome outcome = new JobOutcome(JobState.FAILED, 3, null, null, fault);
        DOOR.jobs.change(
                id,
                null,
                job -> job.withState(JobState.FAILED).withOutcome(outcome).withLocalIds(List.of("a")));

        Stream.of("types:state types:holding types:exitCode types:localUserId types:userSubject faults:fault"
                        + " desc:serviceLevelAgreement wsrl:CurrentTime wsrl:TerminationTime exec:localJobId")
                .flatMap(names -> Stream.of(names.split(" ")))
                .forEach(name -> validateProperty(JOB, Envelopes42.property(id, name)));
    }

    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void everyFaultOfAJobAndOfARefusal(FaultCode code) {
        Fault fault = Fault.of(code, "It failed.", "Mend it.");
        JobId id = submit();
        DOOR.jobs.change(id, null, job -> job.withState(JobState.FAILED).withOutcome(JobOutcome.failed(fault)));
        validateProperty(JOB, Envelopes42.property(id, "faults:fault"));

        DOOR.jobs.refuseWith(new FaultException(fault));
        XmlElement refusal =
                DOOR.post(FACTORY, Envelopes42.create(Envelopes42.job())).fault();
        if (code == FaultCode.INVALID_TERMINATION_TIME) {
            SCHEMAS.validate(refusal);
        } else {
            SCHEMAS.validate(refusal, "gram/jdd/managed_job_faults.xsd");
        }
    }

    @Test
    void theFaultOfACleanUpThatFailed() {
        JobId id = submit();
        JobOutcome outcome = JobOutcome.cancelled(Fault.of(FaultCode.STAGING_FAILED, "It failed.", ""));
        DOOR.jobs.change(id, null, job -> job.withState(JobState.CANCELLED).withOutcome(outcome));

        validateProperty(JOB, Envelopes42.property(id, "types:state"));
        validateProperty(JOB, Envelopes42.property(id, "faults:fault"));
    }

    @Test
    void everyPropertyOfAFactory() {
        for (String name : List.of(
                "localResourceManager",
                "availableLocalResourceManagers",
                "jobTTLAfterProcessing",
                "maxJobLifetime",
                "globusLocation",
                "hostCPUType",
                "delegationFactoryEndpoint")) {
            validateProperty(FACTORY, Envelopes42.of("", Envelopes42.property("job:" + name)));
        }
    }

    @Test
    void theFaultsOfTheSpecifications() {
        JobId id = submit();
        String subscribe = "<Subscribe xmlns=\"" + Generation.GT42.wsnt() + "\"/>";
        String dialect = Envelopes42.subscribe("http://127.0.0.1:1/").replace("/Simple", "/Full");
        for (String request : List.of(
                Envelopes42.property(id, "types:nothing"),
                Envelopes42.property(NOBODY, "types:state"),
                Envelopes42.release(id),
                Envelopes42.setTime(id, "2001-01-01T00:00:00Z"),
                Envelopes42.toJob(id, subscribe),
                Envelopes42.toJob(id, dialect),
                Envelopes42.toJob(NOBODY, subscribe))) {
            SCHEMAS.validate(DOOR.post(JOB, request).fault());
        }
    }

    @Test
    void theRepliesOfLifetimesAndSubscriptions() {
        JobId id = submit();
        DOOR.jobs.change(id, null, job -> job.withState(JobState.PENDING).withHolding(true));
        for (String request : List.of(
                Envelopes42.setTime(id, "2026-12-01T00:00:00Z"),
                Envelopes42.toJob(id, Envelopes42.subscribe("http://127.0.0.1:1/")),
                Envelopes42.release(id),
                Envelopes42.terminate(id, false, false),
                Envelopes42.toJob(id, "<Destroy xmlns=\"" + Generation.GT42.wsrl() + "\"/>"))) {
            SCHEMAS.validate(DOOR.post(JOB, request).body());
        }
    }
}
