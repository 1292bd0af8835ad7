// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jobgate.job.JobId;
import org.jobgate.lrm.Lrm.SubmitRequest;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.jobgate.lrm.SubmitResult;
import org.jobgate.lrm.SuspendResult;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs run in the lab's Slurm and HTCondor through the unmodified scripts of HTCondor's blahp; the quick part of their contracts. */
class BlahScriptsIT {

    @TempDir
    Path directory;

    private ContractRoom open(String lrms) throws IOException, InterruptedException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        BlahLab.need();
        if (lrms.equals("slurm")) {
            SlurmLab.need();
            return new ContractRoom(SlurmLab.ACCOUNT, BlahLab.settings(SlurmLab.settings(), lrms, directory));
        }
        HtcondorLab.need();
        return new ContractRoom(HtcondorLab.ACCOUNT, BlahLab.settings(HtcondorLab.settings(), lrms, directory));
    }

    @ParameterizedTest
    @ValueSource(strings = {"slurm", "condor"})
    void jobsEndAsTheyDidSurviveTheirWorkerAndAreCancelled(String lrms) throws Exception {
        try (ContractRoom room = open(lrms)) {
            List<SubmitRequest> requests = IntStream.range(0, 4)
                    .mapToObj(i -> new SubmitRequest(
                            room.newTag(), room.sh("echo ran >> ran; exit " + i).build(), false))
                    .toList();
            List<SubmitResult> results = room.lrm().submit(room.account, requests);
            JobId signalled = room.submit(room.sh("kill -ABRT $$"));
            JobId longer = room.submit(room.job("/bin/sleep", "300"));
            room.workers().forEach(ProcessHandle::destroyForcibly);

            assertThat(results).hasSize(4).allMatch(SubmitResult.Accepted.class::isInstance);
            for (int i = 0; i < 4; i++) {
                assertThat(room.awaitEnd(requests.get(i).tag()).exitCode()).isEqualTo(i);
            }
            assertThat(room.awaitEnd(signalled).signal()).isEqualTo(6);
            assertThat(room.read("ran")).isEqualTo("ran\n".repeat(4));
            room.awaitEvent(longer, Kind.STARTED);
            room.cancel(longer);
            assertThat(room.awaitEnd(longer).cause()).isEqualTo(Cause.CANCELLED);
            // HTCondor's script remembers a status for half a minute: that is left to the whole contract
            if (lrms.equals("slurm")) {
                holds(room);
            }
        }
    }

    private static void holds(ContractRoom room) throws IOException {
        JobId waits = room.submit(room.job("/bin/true").queue("short").maxWallTime(Duration.ofHours(1)));
        assertThat(room.hold(waits)).isEqualTo(new SuspendResult.Done());
        room.awaitEvent(waits, Kind.SUSPENDED);
        assertThat(room.resume(waits)).isEqualTo(new SuspendResult.Done());
        room.awaitEvent(waits, Kind.REQUEUED);
        room.cancel(waits);
    }
}
