// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import picocli.CommandLine.Option;

/** How many people a scenario plays. */
final class SimulatedUsers {

    private static final int MOST = 1_000;

    @Option(
            names = "--users",
            defaultValue = "1",
            description =
                    "simulated users, each with a certificate and a proxy of its own, all mapped to one account; the connections are dealt"
                            + " out among them. Making one takes most of a second (default: ${DEFAULT-VALUE})")
    int number = 1;

    /** Refuses none, too many, and users who would have no connection. */
    void check(Scenario scenario, int connections) {
        int most = Math.min(MOST, connections);
        scenario.require(
                number >= 1 && number <= most,
                "--users wants 1 to " + most + " (each user needs a connection, and there can be " + MOST
                        + " of them), and has " + number);
    }
}
