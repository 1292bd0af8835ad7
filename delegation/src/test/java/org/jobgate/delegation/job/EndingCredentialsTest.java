// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jobgate.delegation.TestGrid.ALICE;
import static org.jobgate.delegation.TestGrid.BOB;

import java.util.List;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.jobs.JobCredentials.Placement;
import org.jobgate.store.Step;
import org.junit.jupiter.api.Test;

/** What becomes of a job whose delegated credential is about to end, has ended, or goes with it. */
class EndingCredentialsTest extends JobCredentialsRoom {

    @Test
    void theOwnerIsToldOnceBeforeTheCredentialEnds() {
        delegate(HOUR.multipliedBy(2));
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        vault.sweep();
        assertThat(told).isEmpty();
        clock.advance(HOUR.plusMinutes(5));
        vault.sweep();
        vault.sweep();
        assertThat(told).singleElement().asString().startsWith(job.id() + ": The delegated credential k1 ends at ");
        delegate(HOUR.multipliedBy(2));
        vault.sweep();
        assertThat(told).hasSize(1);
    }

    @Test
    void credentialsAreDestroyedWithTheJobAlsoAfterTheNextStart() {
        delegate(HOUR);
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        credentials.destroyAfter(job, description(HOUR));
        credentials.sweep();
        assertThat(vault.find(ALICE, "k1")).isPresent();
        // the service dies here, and the job ends
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true));
        end(job);
        credentials.sweep();
        assertThat(vault.find(ALICE, "k1")).isEmpty();
        assertThat(store.countRecords(CredentialsToDestroy.KIND)).isZero();
    }

    @Test
    void credentialsOfAJobThatIsOverAreDestroyedAtOnceAndNobodyElses() {
        delegate(HOUR);
        Job foreign = end(job(BOB));
        credentials.destroyAfter(foreign, description(HOUR));
        assertThat(vault.find(ALICE, "k1")).isPresent();
        Job job = end(job(ALICE));
        credentials.destroyAfter(job, description(HOUR));
        assertThat(vault.find(ALICE, "k1")).isEmpty();
    }

    private Job end(Job job) {
        Job ended = job.withState(JobState.DONE)
                .withOutcome(JobOutcome.done(0, null))
                .withEnded(clock.instant());
        return store.update(job.id(), now -> List.of(Step.of(ended, "test")))
                .join()
                .orElseThrow();
    }

    @Test
    void aFileThatCouldNotBeDeletedIsDeletedAfterTheNextStart() {
        delegate(HOUR);
        Job forgotten = unstored(ALICE);
        credentials.place(forgotten, description(HOUR));
        accounts.isDown = true;
        credentials.remove(forgotten);
        assertThat(accounts.files).hasSize(1);
        // the service dies here
        accounts.isDown = false;
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, true));
        credentials.sweep();
        assertThat(accounts.files).isEmpty();
        assertThat(store.countRecords(PlacedFiles.KIND)).isZero();
    }

    @Test
    void anExpiredCredentialMakesTheJobWaitUntilItIsRenewed() {
        delegate(HOUR);
        clock.advance(HOUR.plusMinutes(1));
        Job job = job(ALICE);
        assertThat(credentials.place(job, description(HOUR)))
                .isInstanceOfSatisfying(
                        Placement.Waiting.class,
                        why -> assertThat(why.because()).contains("refresh"));
        assertThat(woken).isEmpty();
        delegate(HOUR);
        assertThat(woken).containsExactly(job.id());
        assertThat(credentials.place(job, description(HOUR))).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void aWaitingJobFailsWhenItsCredentialIsDestroyed() {
        delegate(HOUR);
        clock.advance(HOUR.plusMinutes(1));
        Job job = job(ALICE);
        credentials.place(job, description(HOUR));
        vault.destroy(ALICE, "k1");
        assertThat(woken).containsExactly(job.id());
        assertThat(credentials.place(job, description(HOUR))).isInstanceOf(Placement.Refused.class);
    }

    @Test
    void aSiteMayHaveSuchJobsFail() {
        start(new CredentialPolicy(CredentialPolicy.Shorter.WARN, false));
        delegate(HOUR);
        clock.advance(HOUR.plusMinutes(1));
        assertThat(credentials.place(job(ALICE), description(HOUR))).isInstanceOf(Placement.Refused.class);
    }

    @Test
    void aCredentialShorterThanTheJobIsTreatedAsTheSiteWants() {
        delegate(HOUR);
        assertThat(refusal(ALICE, HOUR.multipliedBy(2))).isEmpty();
        assertThat(credentials.place(job(ALICE), description(HOUR.multipliedBy(2))))
                .isInstanceOfSatisfying(
                        Placement.Placed.class,
                        placed -> assertThat(placed.warning()).isPresent());
        start(new CredentialPolicy(CredentialPolicy.Shorter.REFUSE, true));
        assertThat(refusal(ALICE, HOUR.multipliedBy(2))).contains("before the job's wall time limit");
        start(new CredentialPolicy(CredentialPolicy.Shorter.ACCEPT, true));
        assertThat(credentials.place(job(ALICE), description(HOUR.multipliedBy(2))))
                .isInstanceOfSatisfying(
                        Placement.Placed.class,
                        placed -> assertThat(placed.warning()).isEmpty());
    }
}
