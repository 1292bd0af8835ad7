// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOrigin;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.Owner;
import org.jobgate.job.PendingReason;
import org.jobgate.jobs.Submission;
import org.jobgate.soap.Answer;
import org.jobgate.xml.XmlElement;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our own operation that lists the caller's jobs. */
class ListJobsTest {

    private static final String FACTORY = "ManagedJobFactoryService";
    private static final String BOB = "/O=H9Test/CN=Bob Tester";

    private final Door door = new Door();

    @AfterEach
    void close() {
        door.close();
    }

    private JobId submit(String subject, String lrm, @Nullable String clientId) {
        return door.jobs
                .submit(new Submission(
                        door.jobs.newId(new Owner("/CN=anyone", "anyone"), "gram", null),
                        Door.ORIGIN,
                        new Owner(subject, "alice"),
                        clientId,
                        lrm,
                        JobDescription.of("/bin/date"),
                        null,
                        null,
                        List.of()))
                .job()
                .id();
    }

    /** A client that looks for its lost submission must not take another door's job for it. */
    @Test
    void theIdOfASubmissionAtAnotherDoorIsNoJobId() {
        JobOrigin other = new JobOrigin("other", "json");
        JobDescription date = JobDescription.of("/bin/date");
        JobId ours = submit(Door.ALICE, "Fork", "one");
        JobId theirs = door.jobs
                .submit(Submission.of(other, new Owner(Door.ALICE, "alice"), "one", "Fork", date))
                .job()
                .id();

        List<XmlElement> listed = jobs(list(Generation.GT40, ""));

        assertThat(ours).isNotEqualTo(theirs);
        assertThat(listed).hasSize(2);
        for (XmlElement job : listed) {
            assertThat(job.child("JobID").isPresent())
                    .isEqualTo(text(job, "ResourceID").equals(ours.toString()));
        }
    }

    private Answer list(Generation generation, String conditions) {
        return door.post(FACTORY, BulkEnvelopes.of(generation, "listJobs", conditions));
    }

    private List<String> listed(String conditions) {
        Answer answer = list(Generation.GT40, conditions);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return jobs(answer).stream().map(job -> text(job, "ResourceID")).toList();
    }

    private static List<XmlElement> jobs(Answer answer) {
        return answer.body().children().stream()
                .filter(child -> child.localName().equals("job"))
                .toList();
    }

    private static String text(XmlElement job, String child) {
        return job.child(child).orElseThrow().text();
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void aJobIsListedWithBothIdsItsStateAndItsEndpoint(Generation generation) {
        JobId named = submit(Door.ALICE, "Fork", "uuid:mine");
        submit(Door.ALICE, "Slurm", null);
        Fault fault = Fault.of(FaultCode.EXECUTION_FAILED, "The program is broken.", "Mend it.");
        door.jobs.change(
                named,
                null,
                job -> job.withState(JobState.FAILED)
                        .withLocalIds(List.of("17", "18"))
                        .withOutcome(new JobOutcome(JobState.FAILED, 3, null, null, fault)));

        Answer answer = list(generation, "");

        new OwnSchemas(generation).validate(answer.body());
        XmlElement first = jobs(answer).getFirst();
        assertThat(text(first, "ResourceID")).isEqualTo(named.toString());
        assertThat(text(first, "JobID")).isEqualTo("uuid:mine");
        assertThat(text(first, "state")).isEqualTo("Failed");
        assertThat(text(first, "exitCode")).isEqualTo("3");
        assertThat(text(first, "explain")).isEqualTo("The program is broken. Mend it.");
        assertThat(answer.all("localJobId")).containsExactly("17", "18");
        assertThat(jobs(answer).get(1).child("JobID")).isEmpty();
        assertThat(text(jobs(answer).get(1), "localResourceManager")).isEqualTo("Slurm");
    }

    @Test
    void onlyTheCallersOwnJobsThatAreNotGoneAreListed() {
        JobId mine = submit(Door.ALICE, "Fork", null);
        submit(BOB, "Fork", null);
        JobId gone = submit(Door.ALICE, "Fork", null);
        door.jobs.destroy(Door.ALICE, gone);

        assertThat(listed("")).containsExactly(mine.toString());
    }

    @Test
    void pagesFollowOneAnotherUntilThereIsNoNextCursor() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            all.add(submit(Door.ALICE, "Fork", null).toString());
        }
        all.sort(null);
        List<String> read = new ArrayList<>();
        String cursor = "";
        int pages = 0;
        do {
            Answer page = list(Generation.GT40, "<maxJobs>3</maxJobs>" + cursor);
            jobs(page).forEach(job -> read.add(text(job, "ResourceID")));
            List<String> next = page.all("nextCursor");
            cursor = next.isEmpty() ? "" : "<cursor>" + next.getFirst() + "</cursor>";
            pages++;
        } while (!cursor.isEmpty());

        assertThat(read).containsExactlyElementsOf(all);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void statesLrmAndTimeRestrictTheList() {
        JobId active = submit(Door.ALICE, "Fork", null);
        door.jobs.state(active, JobState.ACTIVE);
        JobId done = submit(Door.ALICE, "Slurm", null);
        door.jobs.state(done, JobState.DONE);
        JobId cancelled = submit(Door.ALICE, "Slurm", null);
        door.jobs.state(cancelled, JobState.CANCELLED);

        assertThat(listed("<state>Active</state>")).containsExactly(active.toString());
        assertThat(listed("<state>Active</state><state>Done</state>"))
                .containsExactlyInAnyOrder(active.toString(), done.toString());
        assertThat(listed("<state>Failed</state>")).containsExactly(cancelled.toString());
        assertThat(listed("<localResourceManager>Slurm</localResourceManager>"))
                .containsExactlyInAnyOrder(done.toString(), cancelled.toString());
        assertThat(listed("<localResourceManager>Nothing</localResourceManager>"))
                .isEmpty();
        assertThat(listed("<since>2026-11-20T14:55:55.000Z</since>")).hasSize(3);
        assertThat(listed("<since>2026-11-20T14:55:55.001Z</since>")).isEmpty();
        assertThat(listed("<since>1969-01-01T00:00:00Z</since>")).hasSize(3);
    }

    @Test
    void theNewerGenerationTellsJobsThatTheirOwnersEndedApart() {
        JobId ended = submit(Door.ALICE, "Fork", null);
        door.jobs.state(ended, JobState.CANCELLED);
        JobId failed = submit(Door.ALICE, "Fork", null);
        door.jobs.state(failed, JobState.FAILED);

        assertThat(jobs(list(Generation.GT42, "<state>UserTerminateDone</state>")))
                .extracting(job -> text(job, "ResourceID"))
                .containsExactly(ended.toString());
        assertThat(jobs(list(Generation.GT42, "<state>Failed</state>")))
                .extracting(job -> text(job, "ResourceID"))
                .containsExactly(failed.toString());
    }

    @Test
    void whatIsNotKnownOfAJobIsSaid() {
        JobId id = submit(Door.ALICE, "Fork", null);
        door.jobs.change(
                id, null, job -> job.withPendingReason(new PendingReason(Door.NOW, "the LRM does not answer")));

        assertThat(list(Generation.GT40, "").one("explain"))
                .isEqualTo("Not known since 2026-11-20T14:55:55.000Z: the LRM does not answer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<state>Running</state>",
                "<maxJobs>0</maxJobs>",
                "<maxJobs>-1</maxJobs>",
                "<maxJobs>99999999999999</maxJobs>",
                "<since>yesterday</since>",
                "<cursor>AAAA</cursor>",
                "<cursor>!!!!!!!!!!!!!!!!!!!!!!</cursor>",
                "<owner>Bob</owner>"
            })
    void aWrongConditionIsRefusedAndSaysWhatIsWrong(String condition) {
        Answer answer = list(Generation.GT40, condition);

        assertThat(answer.status()).isEqualTo(500);
        String element = condition.substring(1, condition.indexOf('>'));
        assertThat(answer.one("faultstring"))
                .contains("The element " + element + " of listJobs")
                .contains("Correct it");
    }

    @Test
    void aPageIsNeverGreaterThanTheLimit() {
        submit(Door.ALICE, "Fork", null);

        assertThat(listed("<maxJobs>999999999</maxJobs>")).hasSize(1);
    }

    @Test
    void anAnonymousCallerIsToldNothing() {
        Answer answer = door.post(FACTORY, BulkEnvelopes.of(Generation.GT40, "listJobs", ""), new String[0]);

        assertThat(answer.one("faultstring")).contains("without a credential");
    }
}
