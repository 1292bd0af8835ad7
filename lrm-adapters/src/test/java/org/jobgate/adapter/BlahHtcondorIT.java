// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The lab's HTCondor by blahp's scripts. */
class BlahHtcondorIT extends BlahContract {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        HtcondorLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        HtcondorLab.tidy();
    }

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(HtcondorLab.ACCOUNT, BlahLab.settings(HtcondorLab.settings(), "condor", directory));
    }

    /** No machine of the lab has so much memory. */
    @Override
    Optional<JobDescription.Builder> waitingJob() {
        return Optional.of(room.job("/bin/true")
                .resources(Resources.builder().memoryMiB(16_000_000L).build()));
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
