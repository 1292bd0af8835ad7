// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Faults of Grid Engine's commands do jobs no harm. */
class SgeFaultsIT extends LrmFaults {

    @BeforeAll
    static void needLab() throws IOException, InterruptedException {
        SgeLab.need();
    }

    @AfterAll
    static void tidy() throws IOException, InterruptedException {
        SgeLab.tidy();
    }

    @Override
    String account() {
        return SgeLab.ACCOUNT;
    }

    @Override
    List<Path> commands() {
        return SgeLab.COMMANDS.stream().map(SgeLab.BIN::resolve).toList();
    }

    @Override
    ContractRoom openRoom(Path bin) throws IOException {
        return new ContractRoom(
                SgeLab.ACCOUNT,
                SgeLab.settings(Map.of("sge_bin", bin.toString())).withRequestTimeout(REQUEST_TIMEOUT));
    }
}
