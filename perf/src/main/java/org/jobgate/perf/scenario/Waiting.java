// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Scanner;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.wire.RefusedException;

/** Waits for something that comes about by itself, of the gateway as a rule. */
final class Waiting {

    private static final long POLL_MS = 20;
    private static final Duration QUIET_TIMEOUT = Duration.ofSeconds(30);
    private static final long QUIET_MS = 1_000;
    private static final double QUIET_SHARE = 0.8;
    private static final int ATTEMPTS = 5;
    private static final int IDLE = 3;
    private static final int WAITS_FOR_DISK = 4;

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
     * Waits until the machine has less than a fifth of its processors' time to do in a second, so that what one turn left undone is not the
     * next one's load; at most half a minute.
     */
    static void untilQuiet() throws IOException, InterruptedException {
        boolean quiet = until(QUIET_TIMEOUT, Duration.ZERO, () -> {
            long[] before = processorTimes();
            try {
                Thread.sleep(QUIET_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            long[] after = processorTimes();
            return after[1] - before[1] > QUIET_SHARE * (after[0] - before[0]);
        });
        if (!quiet) {
            Scenario.progress("the machine was not quiet within " + QUIET_TIMEOUT + ": the next figure has that in it");
        }
    }

    /** Something whose time is taken, for the so many-th time from 1 on. */
    @FunctionalInterface
    interface Timed {
        Duration take(int attempt) throws IOException, InterruptedException, RefusedException;
    }

    /**
     * The shortest time of up to five attempts, up to the first that was short enough: the machine itself may stand still for seconds, but what another
     * user can hold up takes too long each time.
     *
     * @param most what is short enough
     * @param isHeldUp whether what may hold it up is still there: without it a further attempt would show nothing
     */
    static Duration shortest(Duration most, Question isHeldUp, Timed timed)
            throws IOException, InterruptedException, RefusedException {
        Duration shortest = timed.take(1);
        for (int attempt = 2; attempt <= ATTEMPTS && shortest.compareTo(most) > 0 && isHeldUp.ask(); attempt++) {
            Duration next = timed.take(attempt);
            shortest = next.compareTo(shortest) < 0 ? next : shortest;
        }
        return shortest;
    }

    /** All the processors' time, and what of it they were idle, in ticks (proc(5), /proc/stat). */
    private static long[] processorTimes() throws IOException {
        try (Scanner stat = new Scanner(Path.of("/proc/stat"), StandardCharsets.US_ASCII)) {
            stat.next();
            long all = 0;
            long idle = 0;
            for (int i = 0; stat.hasNextLong(); i++) {
                long ticks = stat.nextLong();
                all += ticks;
                idle += i == IDLE || i == WAITS_FOR_DISK ? ticks : 0;
            }
            return new long[] {all, idle};
        }
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

    /** Something that can be asked again and again. */
    @FunctionalInterface
    interface Question {
        boolean ask() throws IOException;
    }
}
