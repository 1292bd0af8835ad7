// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.util.List;
import org.jobgate.perf.gateway.Account;

/** The accounts of the two users, and where the gateway keeps what it has of them. */
final class NeighbourAccounts {

    static final Account ATTACKERS = new Account("jobgate-a");
    static final Account VICTIMS = new Account("jobgate-b");

    /** Below the home of each account. */
    static final String SPOOL =
            ".jobgate/perf-hostile-" + ProcessHandle.current().pid();

    private NeighbourAccounts() {}

    /** Removes what the accounts have kept; the gateway is over by then. */
    static void tidy() throws IOException, InterruptedException {
        // by rm, which takes it as it is when a job's own looker-after still removes something there
        for (Account account : List.of(new Account(System.getProperty("user.name")), ATTACKERS, VICTIMS)) {
            String spool = account.home().resolve(SPOOL).toString();
            new ProcessBuilder("rm", "-rf", spool).inheritIO().start().waitFor();
        }
    }
}
