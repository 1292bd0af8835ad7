// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jobgate.gt4.Generation;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not there for a caller: jobs of others, gone or never made, which all look the same; and times that cannot be. */
class UnknownJobTest {

    private static final String JOB = "ManagedExecutableJobService";
    private static final String FACTORY = "ManagedJobFactoryService";
    private static final Door DOOR = new Door();

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static JobId submit(String subject) {
        return DOOR.jobs
                .submit(new Submission(
                        Door.ORIGIN, new Owner(subject, "alice"), null, "Fork", JobDescription.of("/bin/date"), null))
                .job()
                .id();
    }

    private static Map<String, String> requests(Generation generation) {
        String message = "<o:GetCurrentMessage xmlns:o=\"%s\"><o:Topic Dialect=\"%s\"/></o:GetCurrentMessage>"
                .formatted(generation.wsnt(), generation.simpleTopics());
        Map<String, String> requests = new LinkedHashMap<>();
        requests.put(
                "property",
                "<o:GetResourceProperty xmlns:o=\"%s\" xmlns:t=\"%s/types\">t:state</o:GetResourceProperty>"
                        .formatted(generation.wsrp(), generation.gram()));
        requests.put(
                "query",
                "<o:QueryResourceProperties xmlns:o=\"%s\"><o:QueryExpression>/</o:QueryExpression></o:QueryResourceProperties>"
                        .formatted(generation.wsrp()));
        requests.put("destroy", "<o:Destroy xmlns:o=\"%s\"/>".formatted(generation.wsrl()));
        requests.put(
                "time",
                "<o:SetTerminationTime xmlns:o=\"%s\"><o:RequestedTerminationTime>2026-12-01T00:00:00Z</o:RequestedTerminationTime></o:SetTerminationTime>"
                        .formatted(generation.wsrl()));
        requests.put(
                "release",
                "<o:release xmlns:o=\"%s\"/>"
                        .formatted(generation.release("release").getNamespaceURI()));
        requests.put("message", message);
        requests.put("subscribe", "<o:Subscribe xmlns:o=\"%s\"/>".formatted(generation.wsnt()));
        if (generation == Generation.GT42) {
            requests.put(
                    "terminate",
                    "<o:terminate xmlns:o=\"%s\"><o:destroyAfterCleanup>true</o:destroyAfterCleanup><o:continueNotifying>false</o:continueNotifying><o:destroyDelegatedCredentials>false</o:destroyDelegatedCredentials></o:terminate>"
                            .formatted(generation.terminate("terminate").getNamespaceURI()));
        }
        return requests;
    }

    private static String answer(Generation generation, String key, String body) {
        Answer answer = DOOR.post(
                JOB,
                generation == Generation.GT40
                        ? Envelopes.of(Envelopes.resource(key), body)
                        : Envelopes42.of(Envelopes42.resource(key), body));
        assertThat(answer.status()).as(answer.text()).isEqualTo(500);
        assertThat(answer.fault().localName()).isEqualTo("ResourceUnknownFault");
        return answer.text().replace(key, "KEY").replaceAll("<([a-z]+:MessageID)[^>]*>[^<]*", "<$1>");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void theAnswersAreTheSameByteForByte(Generation generation) {
        JobId others = submit("/O=H9Test/CN=Bob Tester");
        DOOR.jobs.state(others, JobState.ACTIVE);
        JobId gone = submit(Door.ALICE);
        DOOR.jobs.destroy(Door.ALICE, gone);
        requests(generation).forEach((name, body) -> {
            String never = answer(generation, "00000000-0000-7000-8000-000000000000", body);
            assertThat(answer(generation, others.toString(), body)).as(name).isEqualTo(never);
            assertThat(answer(generation, gone.toString(), body)).as(name).isEqualTo(never);
            assertThat(answer(generation, "no uuid at all", body)).as(name).isEqualTo(never);
        });
        assertThat(DOOR.store.find(others).orElseThrow().state()).isEqualTo(JobState.ACTIVE);
    }

    /** Clocks that are wrong, and times that no store can hold. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "+999999999-12-31T23:59:59Z",
                "-999999999-01-01T00:00:00Z",
                "+10000-01-01T00:00:00Z",
                "2026-11-20T24:30:00Z",
                "2026-02-30T00:00:00Z",
                "2026-11-20T14:55:55+19:00",
                "1e9",
                ""
            })
    void aTimeThatIsNoneIsRefusedAndSaysSo(String time) {
        String job = "<d:job><d:executable>/bin/date</d:executable></d:job>";
        Answer created = DOOR.post(
                FACTORY, Envelopes.create("<InitialTerminationTime>" + time + "</InitialTerminationTime>" + job));
        assertThat(created.one("faultstring")).contains("InitialTerminationTime is not a time");

        String id = submit(Door.ALICE).toString();
        Answer set = DOOR.post(
                JOB,
                Envelopes.of(
                        Envelopes.resource(id),
                        "<SetTerminationTime xmlns=\"" + Generation.GT40.wsrl() + "\"><RequestedTerminationTime>" + time
                                + "</RequestedTerminationTime></SetTerminationTime>"));
        assertThat(set.clientFault()).contains("RequestedTerminationTime is not a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-20T14:55:55Z",
                "2026-11-20T14:55:54.999Z",
                "2026-11-20T15:55:54+01:00",
                "2026-11-20T14:55:00"
            })
    void aTimeThatIsPastByOurClockIsRefusedAndSaysToCompareClocks(String time) {
        String id = submit(Door.ALICE).toString();
        Answer set = DOOR.post(
                JOB,
                Envelopes.of(
                        Envelopes.resource(id),
                        "<SetTerminationTime xmlns=\"" + Generation.GT40.wsrl() + "\"><RequestedTerminationTime>" + time
                                + "</RequestedTerminationTime></SetTerminationTime>"));
        assertThat(set.fault().localName()).isEqualTo("UnableToSetTerminationTimeFault");
        assertThat(set.one("faultstring")).contains("is past");
    }
}
