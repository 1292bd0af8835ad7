// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Faults of HTCondor's commands do jobs no harm. */
class HtcondorFaultsIT extends LrmFaults {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        HtcondorLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        HtcondorLab.tidy();
    }

    @Override
    int batch() {
        return 5;
    }

    @Override
    String account() {
        return HtcondorLab.ACCOUNT;
    }

    @Override
    List<Path> commands() {
        return Stream.of("condor_submit", "condor_q", "condor_history", "condor_rm", "condor_status")
                .map(HtcondorLab.BIN::resolve)
                .toList();
    }

    @Override
    ContractRoom openRoom(Path bin) throws IOException {
        Map<String, String> options = new HashMap<>(HtcondorLab.settings().options());
        options.put("condor_bin", bin.toString());
        options.put("reconcile_interval", "2");
        return new ContractRoom(
                HtcondorLab.ACCOUNT, HtcondorLab.settings().withOptions(options).withRequestTimeout(REQUEST_TIMEOUT));
    }
}
