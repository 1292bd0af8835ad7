// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.soap.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs whose description is in another language than GRAM4's, among the extensions of the job element. */
class CarriedDescriptionTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final Door DOOR = new Door();

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static Answer create(String attributes, String beside) {
        return DOOR.post(
                FACTORY,
                Envelopes.job(
                        beside + "<d:extensions><w:Work xmlns:w=\"urn:work\" " + attributes + "/></d:extensions>"));
    }

    private static Job job(Answer created) {
        assertThat(created.status()).as(created.text()).isEqualTo(200);
        return DOOR.store
                .find(JobId.parse(created.body()
                        .child("managedJobEndpoint")
                        .orElseThrow()
                        .child("ReferenceProperties")
                        .orElseThrow()
                        .child("ResourceID")
                        .orElseThrow()
                        .text()))
                .orElseThrow();
    }

    private static JobDescription description(Job job) {
        return DOOR.store.description(job.id()).orElseThrow();
    }

    @Test
    void itDescribesTheJob() {
        Job job = job(create("do=\"/bin/date\"", ""));

        assertThat(description(job)).isEqualTo(JobDescription.of("/bin/date", "alice", "Fork"));
        assertThat(job.origin().door()).isEqualTo("gram");
        assertThat(job.origin().language()).isEqualTo("work");
    }

    @Test
    void whatStandsBesideItHoldsWhereItSaysNothing() {
        String beside = "<d:stdout>${GLOBUS_USER_HOME}/out</d:stdout><d:stderr>err</d:stderr>"
                + "<t:holdState xmlns:t=\"urn:t\">CleanUp</t:holdState><t:localUserId xmlns:t=\"urn:t\">shared</t:localUserId>";

        Job job = job(create("do=\"/bin/date\" output=\"mine\"", beside));

        assertThat(description(job).stdout()).isEqualTo("mine");
        assertThat(description(job).stderr()).isEqualTo("err");
        assertThat(description(job).holdAt()).isEqualTo(JobState.CLEAN_UP);
        assertThat(description(job).extensions()).isEmpty();
        assertThat(job.owner().account()).isEqualTo("shared");
        assertThat(description(job(create("do=\"/bin/date\" ", beside))).stdout())
                .isEqualTo("/home/shared/out");
    }

    @Test
    void itsAccountGoesBeforeThatBesideItAndItsIdIsTheClientsWhereThereIsNone() {
        Job job = job(create(
                "do=\"/bin/date\" account=\"shared\" id=\"work-1\"",
                "<t:localUserId xmlns:t=\"urn:t\">alice</t:localUserId>"));

        assertThat(job.owner().account()).isEqualTo("shared");
        assertThat(job(create("do=\"/bin/date\" account=\"shared\" id=\"work-1\"", ""))
                        .id())
                .isEqualTo(job.id());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "output=\"x\" | `` | Work does nothing.",
                "do=\"/bin/date\" many=\"yes\" | `` | describes several jobs",
                "do=\"/bin/date\" lrm=\"Condor\" | `` | globusrun-ws -Ft Condor",
                "do=\"/bin/date\" account=\"root\" | `` | root",
                "do=\"/bin/date\" | <d:argument>x</d:argument> | element argument of the job description is wrong",
                "do=\"/bin/date\" | <d:stderr>a</d:stderr><d:stderr>b</d:stderr> | stderr"
            })
    void whatIsWrongIsRefused(String attributes, String beside, String said) {
        Answer refused = create(attributes, beside);

        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.text()).contains(said);
    }

    /** As GT4 did: what is among the extensions of a job that has an executable is for the LRM's adapter. */
    @Test
    void besideAnExecutableItIsAnExtensionLikeAnyOther() {
        Job job = job(create("do=\"/bin/date\"", "<d:executable>/bin/true</d:executable>"));

        assertThat(description(job).executable()).isEqualTo("/bin/true");
        assertThat(description(job).extensions()).hasSize(1);
    }
}
