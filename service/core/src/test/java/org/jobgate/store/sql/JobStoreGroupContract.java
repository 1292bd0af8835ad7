// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.store.sql.SampleJobs.ALICE;
import static org.jobgate.store.sql.SampleJobs.BOB;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.job.ElementKey;
import org.jobgate.job.ElementState;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupIndexes.Places;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.GroupVariants;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobGroup;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.jobs.FilePassword;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.GroupStore.GroupResult;
import org.jobgate.store.GroupStore.Start;
import org.jobgate.store.GroupStore.Waiting;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;
import org.junit.jupiter.api.Test;

/** What every store does with groups of jobs. */
public abstract class JobStoreGroupContract extends JobStoreStreamContract {

    private static final GroupTemplate VALUES = GroupTemplate.ofValues(
            SampleJobs.fullDescription().toBuilder()
                    .arguments(List.of("{value}"))
                    .build(),
            List.of("", "a b", "żółć 日本 \uD83D\uDE00", "d", "e", "f", "g", "h"));

    private JobGroup group(String subject, String clientId, GroupIndexes indexes) {
        Job like = samples.job(subject, clientId, "Fork", "alice");
        return JobGroup.create(
                like.id(),
                like.key(),
                like.language(),
                like.owner(),
                like.lrm(),
                indexes,
                3,
                Duration.ofHours(2),
                NOON);
    }

    private JobGroup stored(String subject, String clientId) {
        JobGroup group = group(subject, clientId, VALUES.indexes());
        assertThat(get(store.groups().create(group, VALUES))).isEqualTo(new GroupResult.Created(group));
        return group;
    }

    private JobGroup found(JobId id) {
        return store.groups().find(id).orElseThrow();
    }

    private List<Job> begin(JobGroup seen, int number) {
        List<Start> starts = new ArrayList<>();
        for (Waiting element : store.groups().waiting(seen, number)) {
            ElementKey key = new ElementKey(seen.id(), element.place(), element.attempt());
            Job job = samples.job(
                    seen.key().subject(), key.submissionKey(seen.key()).clientId(), "Fork", "alice");
            NewJob newJob = new NewJob(job, VALUES.element(element.place()), List.of());
            starts.add(new Start(element.place(), element.attempt(), newJob, null));
        }
        return get(store.groups().begin(seen, starts));
    }

    private static Map<ElementState, Long> counts(JobGroup group) {
        return group.counts().byState();
    }

    @Test
    void aGroupIsReadAsItWasStoredAlsoAfterwards() throws Exception {
        JobGroup group = stored(ALICE, "mine");
        for (int start = 0; start < 2; start++) {
            assertThat(found(group.id())).isEqualTo(group);
            assertThat(store.groups().template(group.id())).contains(VALUES);
            assertThat(store.groups().elements(group, 0, 100))
                    .hasSize(8)
                    .allMatch(element -> element.state() == ElementState.WAITING && element.attempt() == 1);
            assertThat(store.groups().elements(group, 3, 2))
                    .extracting(GroupElement::index)
                    .containsExactly(3, 4);
            reopen();
        }
    }

    @Test
    void variantsAreReadAsTheyWereStoredAndMakeADifference() throws Exception {
        GroupVariants.Builder gathered = new GroupVariants.Builder(bytes -> {});
        JobDescription first = SampleJobs.fullDescription();
        for (String value : List.of("", "a b", "żółć 日本 \uD83D\uDE00")) {
            gathered.add(first.toBuilder().arguments(List.of("{value}", value)).build());
            gathered.add(first.toBuilder().count(2).directory("/" + value).build());
        }
        GroupTemplate template = GroupTemplate.ofVariants(gathered.build());
        JobGroup group = group(ALICE, "mine", template.indexes());
        assertThat(get(store.groups().create(group, template))).isEqualTo(new GroupResult.Created(group));
        reopen();
        assertThat(store.groups().template(group.id())).contains(template);
        assertThat(get(store.groups().create(group, template))).isEqualTo(new GroupResult.Existing(group));
        GroupTemplate other = GroupTemplate.ofIndexes(template.description(), template.indexes());
        assertThat(get(store.groups().create(group, other))).isEqualTo(new GroupResult.Conflict(group));
    }

    @Test
    void whatIsKeptWithAGroupIsStoredWithItAndNotWithARepeatedRequest() {
        JobGroup group = group(ALICE, "mine", VALUES.indexes());
        DoorRecord kept = new DoorRecord("kind", group.id().toString(), group.id(), ALICE, "body", NOON);
        assertThat(get(store.groups().create(group, VALUES, List.of(kept)))).isEqualTo(new GroupResult.Created(group));
        assertThat(store.findRecord("kind", kept.id())).contains(kept);

        JobGroup again = group(ALICE, "mine", VALUES.indexes());
        DoorRecord other = new DoorRecord("kind", again.id().toString(), again.id(), ALICE, "body", NOON);
        assertThat(get(store.groups().create(again, VALUES, List.of(other))))
                .isEqualTo(new GroupResult.Existing(group));
        assertThat(store.findRecord("kind", other.id())).isEmpty();
    }

    @Test
    void passwordsAreForgottenInTheTransactionThatEndsTheGroup() throws Exception {
        JobGroup group = group(ALICE, "mine", VALUES.indexes());
        String id = group.id().toString();
        DoorRecord passwords = new DoorRecord(FilePassword.KIND, id, group.id(), ALICE, "sealed", NOON);
        DoorRecord other = new DoorRecord("kind", id, group.id(), ALICE, "body", NOON);
        get(store.groups().create(group, VALUES, List.of(passwords, other)));
        List<Job> begun = begin(group, 2);
        get(store.groups().cancelWaiting(group.id(), new Places(2, 7)));
        updated(begun.get(0).id(), SampleJobs.finish(NOON));
        assertThat(store.findRecord(FilePassword.KIND, id)).contains(passwords);

        updated(begun.get(1).id(), SampleJobs.finish(NOON));

        assertThat(found(group.id()).isOver()).isTrue();
        assertThat(store.findRecord(FilePassword.KIND, id)).isEmpty();
        assertThat(store.findRecord("kind", id)).contains(other);
        reopen();
        assertThat(store.findRecord(FilePassword.KIND, id)).isEmpty();
    }

    @Test
    void aKeyMakesOneGroupWhoeverAsksHowOften() {
        JobGroup first = stored(ALICE, "mine");
        JobGroup again = group(ALICE, "mine", VALUES.indexes());
        assertThat(get(store.groups().create(again, VALUES))).isEqualTo(new GroupResult.Existing(first));
        GroupTemplate other = GroupTemplate.ofIndexes(VALUES.description(), new GroupIndexes(0, 1, 8));
        assertThat(get(store.groups().create(again, other))).isEqualTo(new GroupResult.Conflict(first));
        stored(BOB, "mine");
        createdFor(ALICE, "theirs");
        stored(ALICE, "theirs");
    }

    @Test
    void countsFollowTheJobsOfTheElementsInTheSameTransaction() throws Exception {
        JobGroup group = stored(ALICE, "mine");
        List<Job> begun = begin(group, 3);
        assertThat(begun).hasSize(3);
        assertThat(counts(found(group.id()))).isEqualTo(Map.of(ElementState.WAITING, 5L, ElementState.UNSUBMITTED, 3L));
        assertThat(store.description(begun.get(1).id())).contains(VALUES.element(1));
        updated(begun.get(0).id(), SampleJobs.finish(NOON));
        updated(begun.get(1).id(), job -> List.of(Step.of(SampleJobs.moved(job, JobState.PENDING, NOON), "queued")));
        updated(begun.get(2).id(), job -> List.of(Step.of(SampleJobs.moved(job, JobState.CANCELLED, NOON), "over")));
        reopen();
        // the sample's exit code is 3
        assertThat(counts(found(group.id())))
                .isEqualTo(Map.of(
                        ElementState.WAITING, 5L,
                        ElementState.FAILED, 1L,
                        ElementState.PENDING, 1L,
                        ElementState.CANCELLED, 1L));
        assertThat(store.groups().elements(group, 0, 3))
                .extracting(GroupElement::state)
                .containsExactly(ElementState.FAILED, ElementState.PENDING, ElementState.CANCELLED);
        assertThat(store.groups().jobs(group, new Places(0, 7), true, 10))
                .extracting(element -> element.job())
                .containsExactly(begun.get(1).id());
        assertThat(store.groups().jobs(group, new Places(0, 7), false, 10)).hasSize(3);
    }

    @Test
    void anElementThatWaitsNoMoreIsNotBegun() {
        JobGroup group = stored(ALICE, "mine");
        get(store.groups().cancelWaiting(group.id(), new Places(1, 2)));
        List<Job> begun = begin(group, 3);
        assertThat(begun).hasSize(3);
        assertThat(begun)
                .extracting(job -> ElementKey.of(job).orElseThrow().place())
                .containsExactly(0, 3, 4);
        JobGroup before = found(group.id());
        List<Start> late = List.of(new Start(2, 1, null, Fault.of(FaultCode.EXECUTION_FAILED, "Too late.", "None.")));
        assertThat(get(store.groups().begin(before, late))).isEmpty();
        assertThat(counts(found(group.id()))).isEqualTo(counts(before));
        assertThat(store.groups().elements(group, 2, 1).getFirst().state()).isEqualTo(ElementState.CANCELLED);
    }

    @Test
    void whatFailedWaitsAgainAndWhatCannotBeginHasFailed() {
        JobGroup group = stored(ALICE, "mine");
        Fault fault = Fault.of(FaultCode.LIMIT_EXCEEDED, "It is too long.", "Shorten it.");
        get(store.groups().begin(group, List.of(new Start(0, 1, null, fault))));
        assertThat(store.groups().elements(group, 0, 1).getFirst())
                .isEqualTo(new GroupElement(0, 1, ElementState.FAILED, null, fault));
        get(store.groups().cancelWaiting(group.id(), new Places(1, 7)));
        assertThat(found(group.id()).ended()).isNotNull();
        assertThat(store.groups().countLive(ALICE)).isZero();
        assertThat(get(store.groups().retryFailed(group.id(), new Places(0, 7)))
                        .orElseThrow()
                        .ended())
                .isNull();
        assertThat(store.groups().waiting(found(group.id()), 10)).containsExactly(new Waiting(0, 2));
        assertThat(store.groups().countLive(ALICE)).isEqualTo(1);
        assertThat(store.groups().live(null, 10)).extracting(JobGroup::id).containsExactly(group.id());
        Job second = begin(found(group.id()), 1).getFirst();
        assertThat(ElementKey.of(second)).contains(new ElementKey(group.id(), 0, 2));
        assertThat(store.groups().elements(group, 0, 1).getFirst())
                .isEqualTo(new GroupElement(0, 2, ElementState.UNSUBMITTED, second.id(), null));
    }

    @Test
    void groupsAreListedNewestFirstAndForgottenWhenTheyAreOverLongEnough() {
        JobGroup first = stored(ALICE, "1");
        JobGroup second = stored(ALICE, "2");
        stored(BOB, "3");
        assertThat(store.groups().list(ALICE, null, 10)).containsExactly(second, first);
        assertThat(store.groups().list(ALICE, null, 1)).containsExactly(second);
        assertThat(store.groups().list(ALICE, second.id(), 10)).containsExactly(first);
        get(store.groups().cancelWaiting(first.id(), new Places(0, 7)));
        JobGroup over = found(first.id());
        get(store.groups().change(second.id(), group -> group.withDestroyed(true)));
        assertThat(store.groups().list(ALICE, null, 10)).hasSize(2);
        get(store.groups().cancelWaiting(second.id(), new Places(0, 7)));
        assertThat(store.groups().list(ALICE, null, 10)).containsExactly(over);
        assertThat(get(store.groups().purge(NOON, 10))).isZero();
        assertThat(get(store.groups().purge(clock.instant().plusSeconds(60), 10)))
                .isEqualTo(2);
        assertThat(store.groups().find(first.id())).isEmpty();
        assertThat(store.groups().elements(first, 0, 10)).isEmpty();
        assertThat(store.groups().list(BOB, null, 10)).hasSize(1);
    }
}
