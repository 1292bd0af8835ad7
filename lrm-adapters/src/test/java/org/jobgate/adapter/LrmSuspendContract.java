// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SuspendResult;
import org.junit.jupiter.api.Test;

/** The part of the contract that is about suspending jobs: an LRM does it, or says by name that it cannot. */
abstract class LrmSuspendContract extends LrmContractBase {

    /** The states of a job in which this LRM can suspend it. */
    Set<JobState> canSuspend() {
        return Set.of(JobState.PENDING, JobState.ACTIVE);
    }

    /** A job that waits in the LRM for a long time; absent where the LRM has no simple way to have one. */
    Optional<JobDescription.Builder> waitingJob() {
        return Optional.empty();
    }

    @Test
    void suspendsARunningJobAndLetsItGoOn() throws IOException {
        JobId tag = room.submit(
                room.sh(
                        "n=0; until test -e go || test $n -ge 6000; do n=$((n + 1)); echo x >> ticks; sleep 0.1; done; exit 4"));
        room.awaitEvent(tag, Kind.STARTED);
        room.awaitFile("ticks");
        if (!canSuspend().contains(JobState.ACTIVE)) {
            assertThat(room.suspend(tag))
                    .isInstanceOfSatisfying(
                            SuspendResult.Refused.class,
                            refused -> assertThat(refused.fault().code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE));
            room.letGo();
            return;
        }

        assertThat(room.suspend(tag)).isEqualTo(new SuspendResult.Done());

        room.awaitEvent(tag, Kind.SUSPENDED);
        long ticks = room.settledSize("ticks");
        assertThat(room.suspend(tag)).as("once more").isEqualTo(new SuspendResult.Done());
        assertThat(room.settledSize("ticks")).isEqualTo(ticks);
        assertThat(room.resume(tag)).isEqualTo(new SuspendResult.Done());
        await().atMost(ContractRoom.PATIENCE)
                .untilAsserted(() ->
                        assertThat(room.changes(tag)).containsSubsequence(Kind.STARTED, Kind.SUSPENDED, Kind.STARTED));
        await().atMost(ContractRoom.PATIENCE).until(() -> Files.size(room.work.resolve("ticks")) > ticks);
        room.letGo();
        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(4);
        assertThat(room.read("ticks")).matches("(?:x\n)+");
    }

    @Test
    void cancelsASuspendedJob() throws IOException {
        if (!canSuspend().contains(JobState.ACTIVE)) {
            return;
        }
        JobId tag = room.submit(room.sh("echo x > ticks; exec sleep 300"));
        room.awaitFile("ticks");
        room.suspend(tag);
        room.awaitEvent(tag, Kind.SUSPENDED);

        room.cancel(tag);

        assertThat(room.awaitEnd(tag).cause()).isEqualTo(Cause.CANCELLED);
    }

    @Test
    void suspendsAWaitingJobAndLetsItWaitOn() {
        Optional<JobDescription.Builder> waiting = waitingJob();
        if (waiting.isEmpty()) {
            return;
        }
        JobId tag = room.submit(waiting.get());
        room.awaitEvent(tag, Kind.QUEUED);

        assertThat(room.suspend(tag)).isEqualTo(new SuspendResult.Done());
        room.awaitEvent(tag, Kind.SUSPENDED);
        assertThat(room.resume(tag)).isEqualTo(new SuspendResult.Done());

        room.awaitEvent(tag, Kind.REQUEUED);
    }

    @Test
    void holdsAWaitingJobUntilItIsReleased() {
        Optional<JobDescription.Builder> waiting = waitingJob();
        if (waiting.isEmpty()) {
            return;
        }
        JobId tag = room.submit(waiting.get());
        room.awaitEvent(tag, Kind.QUEUED);

        assertThat(room.hold(tag)).isEqualTo(new SuspendResult.Done());
        room.awaitEvent(tag, Kind.SUSPENDED);
        assertThat(room.hold(tag)).as("once more").isEqualTo(new SuspendResult.Done());
        assertThat(room.resume(tag)).isEqualTo(new SuspendResult.Done());

        room.awaitEvent(tag, Kind.REQUEUED);
    }

    @Test
    void holdsNoJobThatRunsAndLetsItGoOn() throws IOException {
        JobId tag = room.submit(room.sh("echo x > ticks; " + ContractRoom.until("go") + "; exit 4"));
        room.awaitEvent(tag, Kind.STARTED);
        room.awaitFile("ticks");

        assertThat(room.hold(tag))
                .isInstanceOfSatisfying(
                        SuspendResult.Refused.class,
                        refused -> assertThat(refused.fault().code())
                                .isEqualTo(
                                        canSuspend().contains(JobState.PENDING)
                                                ? FaultCode.WRONG_STATE
                                                : FaultCode.UNSUPPORTED_FEATURE));
        room.write("go", "");

        assertThat(room.awaitEnd(tag).exitCode()).isEqualTo(4);
        assertThat(room.kinds(tag)).doesNotContain(Kind.SUSPENDED);
        assertThat(room.hold(room.newTag())).isNotInstanceOf(SuspendResult.Unclear.class);
    }

    @Test
    void suspendsNoJobThatItDoesNotHave() {
        JobId over = room.submit(room.job("/bin/true"));
        room.awaitEnd(over);

        assertThat(room.suspend(over)).isIn(new SuspendResult.Done(), refusal(room.suspend(over)));
        assertThat(room.suspend(room.newTag())).isIn(new SuspendResult.NotThere(), refusal(room.suspend(over)));
        assertThat(room.resume(room.newTag())).isIn(new SuspendResult.NotThere(), refusal(room.resume(over)));
        assertThat(room.kinds(over)).doesNotContain(Kind.SUSPENDED);
    }

    /** The answer itself, if this LRM can suspend nothing and says so. */
    private SuspendResult refusal(SuspendResult answer) {
        return !canSuspend().contains(JobState.PENDING) && answer instanceof SuspendResult.Refused
                ? answer
                : new SuspendResult.Done();
    }
}
