// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The programs below {@code clients/condor-g/tests} that try a stock HTCondor, as a personal pool of an ordinary user, with a gateway. */
final class CondorTrial {

    /** What they end with where there is no HTCondor. */
    private static final int NO_HTCONDOR = 77;

    /** They take one minute to two where nothing else runs; a single wait of theirs may take five, where much else runs too. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private CondorTrial() {}

    /**
     * Runs one of them, which must end well; the test is left out where there is no HTCondor.
     *
     * @param pool where the pool's files go: outside of the gateway's directory, which the pool's account cannot reach
     * @param more what this program is told beyond the gateway's address, the proxy and the trust directory
     * @return what it wrote
     */
    static String run(String program, Path pool, Gateway gateway, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "python3",
                "-B",
                Checkout.directory()
                        .resolve("clients/condor-g/tests/" + program)
                        .toString(),
                pool.toString(),
                "https://localhost:" + gateway.port(),
                gateway.proxy().toString(),
                gateway.trustDirectory().toString()));
        words.addAll(List.of(more));
        Programs.Result result =
                new Programs(gateway.directory(), gateway.clients().environment()).run(words, PATIENCE);
        assumeTrue(result.status() != NO_HTCONDOR, result::output);
        assertThat(result.status()).as(result.output()).isZero();
        return result.output();
    }
}
