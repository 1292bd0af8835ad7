// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;

/**
 * Follows a job to its end. Every question carries our Wait header; a service that knows it answers when there is news.
 * One that does not answers at once: then the pause between questions grows from 20 ms to 5 s while nothing happens.
 */
final class JobWatch {
    private static final long PAUSE_MS_MIN = 20;
    private static final long PAUSE_MS_MAX = 5_000;
    /** An unchanged answer that took less was not waited for. */
    private static final long WAITED_MS_MIN = 500;
    /** A watch bridges this much of silence, e.g. a restart of the service, before it gives up. */
    private static final Duration OUTAGE_MAX = Duration.ofMinutes(2);

    /** After a shorter wait the reason is not asked for. */
    private static final Duration REASON_AFTER = Duration.ofSeconds(2);

    private static final Duration WAIT_MAX = Duration.ofSeconds(25);

    private final JobService service;
    private final Duration wait;
    private final Console console;

    /** Is told of the states of the job. */
    interface News {
        /** The job is now so. */
        void changed(JobState state) throws CommandException, InterruptedException;

        /** The job is as it was for so long, for this reason; empty for none that is known. */
        void unchanged(JobState state, Duration since, String reason);
    }

    /**
     * A watch over the jobs of one service.
     *
     * @param httpTimeout a question waits less than that, so that silence still means an outage
     * @param console told of outages
     */
    JobWatch(JobService service, Duration httpTimeout, Console console) {
        this.service = requireNonNull(service, "service is null");
        this.console = requireNonNull(console, "console is null");
        Duration half = httpTimeout.dividedBy(2);
        this.wait = half.compareTo(WAIT_MAX) < 0 ? half : WAIT_MAX;
    }

    /**
     * Returns when the job has ended.
     *
     * @param news told of each state, the last one included
     * @throws IOException contact was lost for longer than two minutes, or the service does not want to hear us any more
     * @throws SoapFaultException the service does not know the job, or not us
     * @throws CommandException of who was told
     */
    JobState toEnd(Epr job, JobState start, News news)
            throws IOException, SoapFaultException, CommandException, InterruptedException {
        JobState seen = start;
        long pauseMs = PAUSE_MS_MIN;
        Outage outage = new Outage(console, OUTAGE_MAX);
        long changed = System.nanoTime();
        while (!seen.isTerminal()) {
            long asked = System.nanoTime();
            JobState now;
            String reason = "";
            try {
                now = service.awaitChange(job, seen, wait);
                if (now.looksLike(seen) && System.nanoTime() - changed >= REASON_AFTER.toNanos()) {
                    reason = service.reason(job);
                }
                outage.over();
            } catch (IOException e) {
                outage.failed(e);
                now = seen;
            }
            if (!now.looksLike(seen)) {
                news.changed(now);
                changed = System.nanoTime();
                seen = now;
                pauseMs = PAUSE_MS_MIN;
                continue;
            }
            news.unchanged(seen, Duration.ofNanos(System.nanoTime() - changed), reason);
            if ((System.nanoTime() - asked) / 1_000_000 < WAITED_MS_MIN) {
                Thread.sleep(pauseMs);
                pauseMs = Math.min(PAUSE_MS_MAX, pauseMs + pauseMs / 2);
            }
        }
        return seen;
    }
}
