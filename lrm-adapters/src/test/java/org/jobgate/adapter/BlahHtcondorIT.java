// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.jobgate.job.JobId;
import org.jobgate.job.JobState;
import org.jobgate.job.Resource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The lab's HTCondor, reached by the unmodified scripts of HTCondor's blahp, keeps the contract. It takes minutes: {@link BlahScriptsIT} is the part that is always run. */
class BlahHtcondorIT extends LrmContract {

    private static Path directory;

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        BlahLab.needTime();
        HtcondorLab.need();
        BlahLab.need();
        directory = Files.createTempDirectory("jobgate-blah-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        HtcondorLab.tidy();
        if (directory != null) {
            Files.deleteIfExists(directory.resolve("blah.config"));
            Files.deleteIfExists(directory);
        }
    }

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(HtcondorLab.ACCOUNT, BlahLab.settings(HtcondorLab.settings(), "condor", directory));
    }

    @Override
    Set<JobState> canSuspend() {
        return Set.of();
    }

    @Override
    Map<Resource, String> shownByTheLrm() {
        return Map.of(
                Resource.SLOTS, "(?m)^RequestCpus = 2$",
                Resource.GPUS, "(?m)^RequestGPUs = 1$",
                Resource.GPU_MODEL, "(?m)^Requirements = .*a100",
                Resource.MEMORY, "(?m)^RequestMemory = 60$");
    }

    @Override
    String record(JobId tag) throws IOException, InterruptedException {
        String cluster = room.localIds(tag).getFirst().split("/", -1)[1];
        return HtcondorLab.run("condor_q", "-long", cluster).out();
    }
}
