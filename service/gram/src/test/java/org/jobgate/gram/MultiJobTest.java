// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.gram.multi.OtherFactory;
import org.jobgate.job.After;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.SubJob;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Multi-jobs at the door; what becomes of them is tested with the engine. */
class MultiJobTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String SERVICE = "ManagedMultiJobService";
    private static final Door DOOR = new Door();

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static String endpoint(String address, String lrm) {
        return "<d:factoryEndpoint><wsa:Address>" + address + "</wsa:Address><wsa:ReferenceProperties><ResourceID>"
                + lrm + "</ResourceID></wsa:ReferenceProperties></d:factoryEndpoint>";
    }

    private static String at(String lrm) {
        return endpoint(DOOR.baseUrl() + "/" + FACTORY, lrm);
    }

    private static Answer create(String content) {
        return DOOR.post(FACTORY, Envelopes.create("Multi", "<d:multiJob>" + content + "</d:multiJob>"));
    }

    private static JobId id(Answer created) {
        return id(created, DOOR);
    }

    private static JobId id(Answer created, Door door) {
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        assertThat(created.all("Address")).contains(door.baseUrl() + "/" + SERVICE);
        return JobId.parse(created.one("ResourceID"));
    }

    private static List<SubJob> subJobs(String content) {
        JobId id = id(create(content));
        return DOOR.jobs.description(Door.ALICE, id).orElseThrow().subJobs();
    }

    private static String text(XmlElement fault, String child) {
        return fault.child(child).map(XmlElement::text).orElse("(no " + child + ")");
    }

    @Test
    void whatTheMultiJobSaysIsTheDefaultAndWhatAJobSaysWins() {
        List<SubJob> subs = subJobs(at("Multi") + "<d:executable>/bin/echo</d:executable><d:argument>a</d:argument>"
                + "<d:argument>b</d:argument><d:environment><d:name>X</d:name><d:value>outer</d:value></d:environment>"
                + "<d:environment><d:name>Y</d:name><d:value>${GLOBUS_USER_HOME}</d:value></d:environment>"
                + "<d:count>3</d:count><d:job>" + at("Slurm") + "<d:localUserId>shared</d:localUserId>"
                + "<d:argument>c</d:argument><d:environment><d:name>X</d:name><d:value>inner</d:value></d:environment>"
                + "</d:job><d:job><d:count>1</d:count></d:job>");

        JobDescription first = subs.get(0).description();
        assertThat(subs).extracting(SubJob::lrm).containsExactly("Slurm", "Fork");
        assertThat(subs).extracting(SubJob::account).containsExactly("shared", "alice");
        assertThat(first.executable()).isEqualTo("/bin/echo");
        assertThat(first.arguments()).containsExactly("c");
        assertThat(first.count()).isEqualTo(3);
        assertThat(first.environment())
                .containsExactlyInAnyOrder(
                        new EnvironmentVariable("X", "inner"),
                        new EnvironmentVariable("Y", "/home/shared"),
                        new EnvironmentVariable("GLOBUS_GRAM_SUBJOB_RANK", "0"));
        JobDescription second = subs.get(1).description();
        assertThat(second.arguments()).containsExactly("a", "b");
        assertThat(second.count()).isEqualTo(1);
        assertThat(second.environment()).contains(new EnvironmentVariable("GLOBUS_GRAM_SUBJOB_RANK", "1"));
    }

    @Test
    void itsPropertiesAreItsSubJobsAndItsAgreement() {
        JobId id = id(create("<d:job>" + at("Fork") + "<d:executable>/bin/date</d:executable></d:job><d:job>"
                + at("Slurm") + "<d:executable>/bin/true</d:executable></d:job>"));
        List<String> subs = List.of("00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002");
        DOOR.jobs.change(id, null, job -> job.withLocalIds(subs));

        Answer endpoints = DOOR.post(SERVICE, Envelopes.property(id.toString(), "multi:subJobEndpoint"));
        Answer agreement = DOOR.post(SERVICE, Envelopes.property(id.toString(), "desc:serviceLevelAgreement"));

        assertThat(endpoints.all("ResourceID")).isEqualTo(subs);
        assertThat(endpoints.all("Address")).contains(DOOR.baseUrl() + "/ManagedExecutableJobService");
        assertThat(agreement.all("executable")).containsExactly("/bin/date", "/bin/true");
        assertThat(agreement.all("ResourceID")).containsExactly("Fork", "Slurm");
        assertThat(DOOR.post(SERVICE, Envelopes.property(id.toString(), "types:state"))
                        .one("state"))
                .isEqualTo("Unsubmitted");
    }

    @Test
    void itsJobsMayWaitForOneAnotherAndTheAgreementSaysForWhich() {
        JobId id = id(create("<d:job><d:executable>/bin/date</d:executable><d:extensions><flowId>first</flowId>"
                + "</d:extensions></d:job><d:job><d:executable>/bin/true</d:executable><d:extensions><mine>1</mine>"
                + "<after>first</after></d:extensions></d:job><d:job><d:executable>/bin/true</d:executable><d:extensions>"
                + "<after when=\"failed\">first</after></d:extensions></d:job>"));

        List<SubJob> subs = DOOR.jobs.description(Door.ALICE, id).orElseThrow().subJobs();
        assertThat(subs).extracting(SubJob::name).containsExactly("first", null, null);
        assertThat(subs)
                .extracting(SubJob::after)
                .containsExactly(
                        List.of(),
                        List.of(new After("first", After.When.OK)),
                        List.of(new After("first", After.When.FAILED)));
        assertThat(subs.get(1).description().extensions()).extracting("name").containsExactly("mine");
        Answer agreement = DOOR.post(SERVICE, Envelopes.property(id.toString(), "desc:serviceLevelAgreement"));
        assertThat(agreement.all("flowId")).containsExactly("first");
        assertThat(agreement.all("after")).containsExactly("first", "first");
        assertThat(agreement.text()).contains("when=\"failed\"");
    }

    @Test
    void whatAJobWaitsForMustBeSaidInItsWords() {
        String job = "<d:job><d:executable>/bin/date</d:executable><d:extensions>%s</d:extensions></d:job>";
        for (String wrong : List.of(
                "<flowId>a b</flowId>",
                "<flowId>a</flowId><flowId>b</flowId>",
                "<flowId>a</flowId><after when=\"well\">a</after>")) {
            assertThat(create(job.formatted(wrong)).status()).as(wrong).isEqualTo(500);
        }
    }

    @Test
    void itIsDestroyedAtItsService() {
        JobId id = id(create("<d:job><d:executable>/bin/date</d:executable></d:job>"));

        assertThat(DOOR.post(SERVICE, Envelopes.destroy(id.toString())).status())
                .isEqualTo(200);

        assertThat(DOOR.store.find(id).orElseThrow().destroyed()).isTrue();
    }

    @Test
    void anotherJobIsUnknownAtItsService() {
        Answer created = DOOR.post(FACTORY, Envelopes.job("<d:executable>/bin/date</d:executable>"));

        XmlElement fault = DOOR.post(SERVICE, Envelopes.property(created.one("ResourceID"), "types:state"))
                .fault();

        assertThat(fault.localName()).isEqualTo("ResourceUnknownFault");
    }

    @Test
    void theFactoryOfAConfiguredGatewayIsTheLrmThatStandsForItAndNoOtherAddressIs() {
        String elsewhere = "https://elsewhere:8443/wsrf/services/" + FACTORY;
        Door door = new Door(settings -> settings.withOtherFactories(
                List.of(new OtherFactory("Slurm", elsewhere, "Fork"), new OtherFactory("Fork", elsewhere, "PBS"))));
        try (door) {
            String jobs = Stream.of("Fork", "PBS")
                    .map(there -> "<d:job>" + endpoint(elsewhere.replace("elsewhere", "ELSEWHERE"), there)
                            + "<d:executable>/bin/date</d:executable></d:job>")
                    .collect(Collectors.joining());
            Answer created = door.post(FACTORY, Envelopes.create("Multi", "<d:multiJob>" + jobs + "</d:multiJob>"));
            assertThat(door.jobs
                            .description(Door.ALICE, id(created, door))
                            .orElseThrow()
                            .subJobs())
                    .extracting(SubJob::lrm)
                    .containsExactly("Slurm", "Fork");

            for (String wrong : List.of(
                    endpoint(elsewhere, "Condor"),
                    endpoint(elsewhere.replace("8443", "8444"), "Fork"),
                    endpoint(elsewhere.replace("//", "//user@"), "Condor"),
                    endpoint(elsewhere + "/x", "Fork"))) {
                String job = "<d:job>" + wrong + "<d:executable>/bin/date</d:executable></d:job>";
                XmlElement fault = door.post(FACTORY, Envelopes.create("Multi", "<d:multiJob>" + job + "</d:multiJob>"))
                        .fault();
                assertThat(fault.localName()).as(wrong).isEqualTo("unsupportedFeatureFault");
            }
        }
    }

    @Test
    void anotherGatewaysFactoryIsRefusedWithItsAddress() {
        XmlElement fault = create("<d:job>" + endpoint("https://elsewhere:8443/wsrf/services/" + FACTORY, "Fork")
                        + "<d:executable>/bin/date</d:executable></d:job>")
                .fault();

        assertThat(fault.localName()).isEqualTo("unsupportedFeatureFault");
        assertThat(text(fault, "Description")).contains("another gateway", "elsewhere", DOOR.baseUrl());
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThat(text(create("").fault(), "attribute")).isEqualTo("multiJob");
        assertThat(text(
                        create("<d:job>" + at("PBS") + "<d:executable>/bin/date</d:executable></d:job>")
                                .fault(),
                        "attribute"))
                .isEqualTo("factoryEndpoint");
        assertThat(text(
                        create(
                                        "<d:executable>/bin/date</d:executable><d:job/><d:job><holdState>CleanUp</holdState></d:job>")
                                .fault(),
                        "attribute"))
                .isEqualTo("holdState");
        assertThat(text(
                        create("<d:executable>/bin/date</d:executable><d:job><localUserId>root</localUserId></d:job>")
                                .fault(),
                        "Description"))
                .contains("root is not authorized");
    }

    @Test
    void theHoldOfItsJobsIsItsOwn() {
        JobId id = id(create("<d:executable>/bin/date</d:executable><holdState>CleanUp</holdState><d:job/><d:job/>"));

        assertThat(DOOR.jobs.description(Door.ALICE, id).orElseThrow().holdAt()).isEqualTo(JobState.CLEAN_UP);
    }
}
