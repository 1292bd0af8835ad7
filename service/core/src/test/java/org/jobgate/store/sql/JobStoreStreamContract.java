// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.jobgate.store.sql.SampleJobs.ALICE;
import static org.jobgate.store.sql.SampleJobs.BOB;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.Change;
import org.jobgate.store.OwnerChanges;
import org.jobgate.store.Step;
import org.junit.jupiter.api.Test;

/** What every store tells of the change stream, as one owner sees it. */
public abstract class JobStoreStreamContract extends JobStoreReadContract {

    private void assertExpired(long cursor) {
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> store.changesOf(ALICE, cursor, 10))
                .satisfies(e -> assertThat(e.fault().code()).isEqualTo(FaultCode.CURSOR_EXPIRED));
    }

    private List<Change> allOf(String subject, long from, int page) {
        List<Change> all = new ArrayList<>();
        OwnerChanges some = store.changesOf(subject, from, page);
        while (true) {
            all.addAll(some.changes());
            if (some.isCaughtUp()) {
                return all;
            }
            some = store.changesOf(subject, some.cursor(), page);
        }
    }

    private void mixedHistory() {
        for (int i = 0; i < 12; i++) {
            JobId alices = createdFor(ALICE, "a" + i).id();
            JobId bobs = createdFor(BOB, "b" + i).id();
            updated(bobs, job -> List.of(Step.of(job, "a note")));
            if (i % 3 == 0) {
                updated(alices, SampleJobs.finish(NOON));
            }
        }
    }

    @Test
    void anOwnerReadsTheirOwnChangesOnlyAndAllOfThem() {
        mixedHistory();
        List<Change> expected = store.changesAfter(0, 1_000).stream()
                .filter(change ->
                        store.find(change.job()).orElseThrow().owner().subject().equals(ALICE))
                .toList();
        assertThat(expected)
                .hasSize(12 + 4 * 2)
                .allMatch(change -> change.subject().equals(ALICE));
        for (int page : List.of(1, 2, 7, 1_000)) {
            assertThat(allOf(ALICE, 0, page)).as("pages of %d", page).isEqualTo(expected);
        }
        OwnerChanges end = store.changesOf(ALICE, store.lastChange(), 10);
        assertThat(end).isEqualTo(new OwnerChanges(List.of(), store.lastChange(), true));
        assertThat(store.changesOf("/CN=Nobody", 0, 10).changes()).isEmpty();
    }

    @Test
    void theSameIsReadFromTheDatabaseOfChangesThatAreInMemoryNoMore() throws Exception {
        mixedHistory();
        List<Change> expected = allOf(ALICE, 0, 1_000);
        long middle = expected.get(9).sequence();
        reopen();
        assertThat(allOf(ALICE, 0, 3)).isEqualTo(expected);
        assertThat(allOf(ALICE, middle, 3)).isEqualTo(expected.subList(10, expected.size()));
        Job next = createdFor(ALICE, "next");
        assertThat(allOf(ALICE, middle, 1_000).getLast().job()).isEqualTo(next.id());
    }

    @Test
    void aCursorBeforeWhatAPurgeHasRemovedIsRefusedAndALaterOneHolds() throws Exception {
        Job old = createdFor(ALICE, "old");
        long before = store.lastChange();
        updated(old.id(), SampleJobs.finish(NOON));
        long removed = store.lastChange();
        Job live = createdFor(ALICE, "live");
        updated(live.id(), job -> List.of(Step.of(job, "a note")));
        get(store.purge(NOON.plusSeconds(1), 10));
        for (int start = 0; start < 2; start++) {
            assertExpired(0);
            assertExpired(before);
            assertThat(allOf(ALICE, removed, 10))
                    .as("start %d", start)
                    .extracting(Change::job)
                    .containsExactly(live.id(), live.id());
            reopen();
        }
    }

    /** Also one behind the last change that was removed and before those of a job that ended long ago and is kept. */
    @Test
    void aCursorBeforeTheChangesOfAJobThatIsKeptHolds() {
        Job old = createdFor(ALICE, "old");
        updated(old.id(), SampleJobs.finish(NOON));
        long removed = store.lastChange();
        Job kept = createdFor(ALICE, "kept");
        updated(kept.id(), SampleJobs.finish(NOON.plusSeconds(1)));
        long end = store.lastChange();
        assertThat(get(store.purge(NOON.plusSeconds(9), 10, Set.of(kept.id())))).isEqualTo(1);
        assertThat(allOf(ALICE, removed, 10)).extracting(Change::job).containsOnly(kept.id());
        assertExpired(removed - 1);

        assertThat(get(store.purge(NOON.plusSeconds(9), 10))).isEqualTo(1);
        assertExpired(removed);
        assertThat(store.changesOf(ALICE, end, 10).changes()).isEmpty();
    }

    @Test
    void aCursorBeyondTheEndIsOfAnotherStreamAndRefused() {
        createdFor(ALICE, "one");
        assertExpired(store.lastChange() + 1);
    }

    @Test
    void whatAPurgeHasRemovedNeverCountsBack() {
        Job early = createdFor(ALICE, "early");
        Job late = createdFor(ALICE, "late");
        updated(late.id(), SampleJobs.finish(NOON));
        long first = store.lastChange();
        updated(early.id(), SampleJobs.finish(NOON.plusSeconds(5)));
        updated(late.id(), job -> List.of(Step.of(job.withDestroyed(true), "no more of it")));
        long removed = store.lastChange();
        get(store.purge(NOON.plusSeconds(1), 10));
        get(store.purge(NOON.plusSeconds(9), 10));
        assertExpired(first);
        assertThat(store.changesOf(ALICE, removed, 10).changes()).isEmpty();
    }
}
