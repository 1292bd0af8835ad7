// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Faults of the commands of a PBS do jobs no harm. A class for each dialect gives the stand-in. */
abstract class PbsFaults extends LrmFaults {

    abstract PbsStandin pbs();

    @Override
    String account() {
        return PbsStandin.ACCOUNT;
    }

    @Override
    List<Path> commands() {
        return Stream.of("qsub", "qstat", "qdel", "pbsnodes")
                .map(pbs().bin()::resolve)
                .toList();
    }

    @Override
    ContractRoom openRoom(Path bin) throws IOException {
        return new ContractRoom(
                PbsStandin.ACCOUNT,
                pbs().with(Map.of("pbs_bin", bin.toString())).withRequestTimeout(REQUEST_TIMEOUT));
    }
}
