// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.time.Duration;

/** Waits for something that the gateway brings about by itself. */
final class Waiting {

    private static final long POLL_MS = 20;

    private Waiting() {}

    /** Asks until the answer is yes or the time is over; answers the last answer. */
    static boolean until(Duration timeout, Question question) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (!question.ask()) {
            if (System.nanoTime() - begin > timeout.toNanos()) {
                return false;
            }
            Thread.sleep(POLL_MS);
        }
        return true;
    }

    /** Something that can be asked of the gateway. */
    @FunctionalInterface
    interface Question {
        boolean ask() throws IOException;
    }
}
