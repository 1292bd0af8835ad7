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

/** The lab's Slurm, reached by the unmodified scripts of HTCondor's blahp, keeps the contract. It takes minutes: {@link BlahScriptsIT} is the part that is always run. */
class BlahSlurmIT extends LrmContract {

    private static Path directory;

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        BlahLab.needTime();
        SlurmLab.need();
        BlahLab.need();
        directory = Files.createTempDirectory("jobgate-blah-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SlurmLab.tidy();
        if (directory != null) {
            Files.deleteIfExists(directory.resolve("blah.config"));
            Files.deleteIfExists(directory);
        }
    }

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(SlurmLab.ACCOUNT, BlahLab.settings(SlurmLab.settings(), "slurm", directory));
    }

    @Override
    Set<JobState> canSuspend() {
        return Set.of();
    }

    @Override
    Map<Resource, String> shownByTheLrm() {
        return Map.of(
                Resource.SLOTS, " NumTasks=2 ",
                Resource.SLOTS_PER_HOST, " NtasksPerN:B:S:C=2:",
                Resource.WHOLE_NODES, " OverSubscribe=NO ",
                Resource.MEMORY, " MinMemoryNode=60M ");
    }

    @Override
    Set<Resource> notInTheLab() {
        return Set.of(Resource.GPUS, Resource.GPU_MODEL);
    }

    @Override
    String record(JobId tag) throws IOException, InterruptedException {
        return SlurmLab.run("scontrol", "-o", "show", "job", room.localIds(tag).getFirst())
                .out();
    }
}
