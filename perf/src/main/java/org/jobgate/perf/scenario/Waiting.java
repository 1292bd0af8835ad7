// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.time.Duration;
import org.jobgate.perf.gateway.Gateway;

/** Waits for something that the gateway brings about by itself. */
final class Waiting {

    private static final long POLL_MS = 20;

    private Waiting() {}

    /** Asks until the answer is yes or the time is over; answers the last answer. */
    static boolean until(Duration timeout, Question question) throws IOException, InterruptedException {
        return until(timeout, Duration.ofMillis(POLL_MS), question);
    }

    /** The same with this pause between two questions, for those that cost much. */
    static boolean until(Duration timeout, Duration pause, Question question) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (!question.ask()) {
            if (System.nanoTime() - begin > timeout.toNanos()) {
                return false;
            }
            Thread.sleep(pause);
        }
        return true;
    }

    /**
     * Waits until all jobs are held. A job that is not held yet when it is looked at is held when it is looked at again, and would
     * count as changed.
     */
    static void untilAllAreHeld(Gateway gateway, Duration timeout) throws IOException, InterruptedException {
        boolean allHeld = until(
                timeout,
                () -> gateway.admin().jobs("").stream()
                        .allMatch(job -> job.path("holding").asBoolean(false)));
        if (!allHeld) {
            throw new IOException("not all jobs were held within " + timeout);
        }
    }

    /** Something that can be asked of the gateway. */
    @FunctionalInterface
    interface Question {
        boolean ask() throws IOException;
    }
}
