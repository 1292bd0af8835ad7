// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jobgate.job.JobId;
import org.jobgate.job.Resource;

/** Fork keeps the contract. */
class ForkContractIT extends LrmContract {

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(System.getProperty("user.name"), LrmSettings.defaults("Fork", "fork", LrmRoom.PERL));
    }

    /** Fork sees for itself which machine it is on. */
    @Override
    Set<Resource> seenInTheJob() {
        Set<Resource> all = EnumSet.copyOf(super.seenInTheJob());
        all.addAll(Set.of(Resource.THREADS_PER_PROCESS, Resource.ARCHITECTURE, Resource.OPERATING_SYSTEM));
        return all;
    }

    @Override
    Map<Resource, String> shownByTheLrm() {
        return Map.of();
    }

    @Override
    String record(JobId tag) {
        return "";
    }
}
