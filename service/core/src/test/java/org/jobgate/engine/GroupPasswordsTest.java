// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jobgate.job.ElementState;
import org.jobgate.job.FaultCode;
import org.jobgate.job.GroupElement;
import org.jobgate.job.GroupIndexes;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.jobs.FilePassword;
import org.jobgate.jobs.GroupSubmission;
import org.jobgate.limits.JobLimits;
import org.jobgate.store.DoorRecord;
import org.jobgate.store.TestStores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The names and passwords that all elements of a group have for their files: kept once, as long as one of them waits or runs. */
class GroupPasswordsTest extends EngineTestBase {

    private static final JobDescription FETCHING = JobDescription.of("/bin/echo", "{index}").toBuilder()
            .transfers(new TransferList(
                    List.of(new Transfer("https://host/in", "file:///in", Map.of(FilePassword.OPTION, "1"))),
                    List.of(),
                    List.of()))
            .build();

    private final String alice = ALICE.subject();

    @BeforeEach
    void stage() {
        engine.close();
        engine = engine(JobLimits.defaults(), new RecordingStager());
    }

    private GroupSubmission submission(int size) {
        GroupTemplate template = GroupTemplate.ofIndexes(FETCHING, new GroupIndexes(0, 1, size));
        return new GroupSubmission(newId(), TestStores.ORIGIN, ALICE, null, "Fork", template, 1, null);
    }

    private static GroupSubmission withPasswords(GroupSubmission group) {
        return group.withRecord(
                new DoorRecord(FilePassword.KIND, group.id().toString(), group.id(), alice(), "sealed", Instant.EPOCH));
    }

    private static String alice() {
        return ALICE.subject();
    }

    private List<GroupElement> elements(JobId id) {
        return engine.groups().elements(alice, id, 0, 100).orElseThrow();
    }

    private JobId awaitRunning(JobId group, int index) {
        return await().atMost(Duration.ofMinutes(1))
                .until(
                        () -> elements(group).get(index).job(),
                        job -> job != null && store.find(job).orElseThrow().state() == JobState.PENDING);
    }

    private boolean areKept(JobId group) {
        return store.findRecord(FilePassword.KIND, group.toString()).isPresent();
    }

    @Test
    void theLastElementTakesThemAlongAndNoOtherAttemptCanBeMade() {
        JobId id = engine.groups().submit(withPasswords(submission(2))).group().id();
        lrm.end(awaitRunning(id, 0), 1);
        lrm.end(awaitRunning(id, 1), 1);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> engine.groups().find(alice, id).orElseThrow().isOver());

        assertThat(areKept(id)).isFalse();
        assertFault(() -> engine.groups().retryFailed(alice, id, null), FaultCode.INVALID_DESCRIPTION);
        assertThat(elements(id)).extracting(GroupElement::state).containsOnly(ElementState.FAILED);
    }

    @Test
    void anElementThatFailedIsTriedAgainWithThemWhileTheGroupLasts() {
        JobId id = engine.groups().submit(withPasswords(submission(2))).group().id();
        lrm.end(awaitRunning(id, 0), 1);
        JobId second = awaitRunning(id, 1);

        engine.groups().retryFailed(alice, id, null);

        assertThat(areKept(id)).isTrue();
        lrm.end(second, 0);
        JobId again = awaitRunning(id, 0);
        assertThat(elements(id).getFirst().attempt()).isEqualTo(2);
        engine.groups().cancel(alice, id, null);
        lrm.end(again, 0);
        await().atMost(Duration.ofMinutes(1)).until(() -> !areKept(id));
    }

    @Test
    void aGroupThatOnlyNamesThemIsRefused() {
        GroupSubmission without = submission(3);

        assertFault(() -> engine.groups().submit(without), FaultCode.INVALID_DESCRIPTION);
        assertFault(
                () -> engine.groups()
                        .submit(without.withRecord(new DoorRecord(
                                "other", without.id().toString(), without.id(), alice, "", Instant.EPOCH))),
                FaultCode.INVALID_DESCRIPTION);
    }
}
