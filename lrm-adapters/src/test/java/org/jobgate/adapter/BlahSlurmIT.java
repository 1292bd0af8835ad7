// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Resource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The lab's Slurm by blahp's scripts. */
class BlahSlurmIT extends BlahContract {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SlurmLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SlurmLab.tidy();
    }

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(SlurmLab.ACCOUNT, BlahLab.settings(SlurmLab.settings(), "slurm", directory));
    }

    /** Slurm takes a job that asks for more time than its partition gives, and lets it wait. */
    @Override
    Optional<JobDescription.Builder> waitingJob() {
        return Optional.of(room.job("/bin/true").queue("short").maxWallTime(Duration.ofHours(1)));
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
