// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.time.Duration;

/** How tickets to Chirp servers are made. */
@Section(
        "Tickets to Chirp servers, which jobs get that ask for directories of one (`chirp` of a description). They are made by the program `chirp` of the"
                + " Cooperative Computing Tools, as the job's account.")
public record ChirpConfig(
        @Setting(
                description = "The program: a name to be looked for on the accounts' PATH, or an absolute path.",
                byDefault = "chirp")
        String program,

        @Setting(
                description =
                        "How long one ticket is good at the most. A job that may run longer, or says no time, gets new ones in time.",
                byDefault = "7d",
                min = "30s",
                max = "366d")
        Duration longestTicket,

        @Setting(
                description =
                        "How much longer than the job may run its ticket is good. While the job waits, a new one is made each time that half of this has passed.",
                byDefault = "1d",
                min = "10s",
                max = "366d")
        Duration margin,

        @Setting(
                description = "How long one answer of a server is waited for; the ticket is then tried again later.",
                byDefault = "15s",
                min = "1s",
                max = "10m")
        Duration answerTimeout) {

    public ChirpConfig {
        if (!program.matches("/?[A-Za-z0-9_][A-Za-z0-9_./+-]*")) {
            throw new IllegalArgumentException("program must be the name of a program, or an absolute path to one");
        }
        if (margin.compareTo(longestTicket) > 0) {
            throw new IllegalArgumentException("margin is longer than longestTicket");
        }
    }
}
