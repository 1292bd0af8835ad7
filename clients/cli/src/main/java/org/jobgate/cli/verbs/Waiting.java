// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.verbs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Outage;
import org.jobgate.cli.wire.Json;

/** Waits for the ends of jobs or arrays, one after the other, and shows people at a terminal how far it is. */
final class Waiting {
    /** As {@code timeout(1)} ends where the time is over. */
    static final int TIME_IS_OVER = 124;

    private static final Duration OUTAGE_MAX = Duration.ofMinutes(10);
    private static final int WIDTH = 24;
    private static final int SECONDS_AT_ONCE = 30;
    private static final int SECONDS_WITH_A_BAR = 1;

    private final Verbs.Context context;
    private final int count;
    private final long end;
    private final long begun = System.nanoTime();
    private int over;

    /**
     * @param count how many there are to wait for
     * @param end when to give up, by {@link System#nanoTime}
     */
    Waiting(Verbs.Context context, int count, long end) {
        this.context = requireNonNull(context, "context is null");
        this.count = count;
        this.end = end;
    }

    /**
     * Returns what is at this path when it is over, or when the time is.
     *
     * @throws CommandException it is gone, or contact was lost for ten minutes
     */
    Json untilOver(String path) throws CommandException, InterruptedException {
        Outage outage = new Outage(context.console(), OUTAGE_MAX);
        String seen = "";
        while (true) {
            try {
                Json now = Json.read(context.client().getWhenItCan(path + seen));
                outage.over();
                if (now.get("final").isTrue()) {
                    over++;
                    show(now);
                    return now;
                }
                long left = (end - System.nanoTime()) / 1_000_000_000L;
                if (left <= 0) {
                    return now;
                }
                show(now);
                int most = context.console().showsPassing() ? SECONDS_WITH_A_BAR : SECONDS_AT_ONCE;
                seen = "?wait=" + Math.min(left, most) + "&version="
                        + now.get("version").text();
            } catch (IOException e) {
                failed(outage, e);
            }
        }
    }

    private void failed(Outage outage, IOException e) throws CommandException, InterruptedException {
        try {
            outage.failed(e);
        } catch (IOException last) {
            throw new CommandException(
                    ExitStatus.JOB_LOST, "Contact was lost, and the job may still run: " + last.getMessage(), last);
        }
        if (end - System.nanoTime() <= 0) {
            throw new CommandException(
                    ExitStatus.JOB_LOST, "The time is over, and the job may still run: " + e.getMessage(), e);
        }
        Thread.sleep(1_000);
    }

    private void show(Json now) {
        if (context.console().showsPassing()) {
            context.console().passing(line(now));
        }
    }

    private String line(Json now) {
        long done = over;
        long all = count;
        Json states = now.get("states");
        if (!states.isMissing()) {
            all = now.get("size").number(1);
            done = states.get("Done").number(0)
                    + states.get("Failed").number(0)
                    + states.get("Cancelled").number(0);
        }
        int full = (int) (WIDTH * done / Math.max(1, all));
        long seconds = (System.nanoTime() - begun) / 1_000_000_000L;
        String state = now.get("state").text();
        return String.format(
                "[%s%s] %d of %d over, %d:%02d%s",
                "#".repeat(full),
                " ".repeat(WIDTH - full),
                done,
                all,
                seconds / 60,
                seconds % 60,
                state.isEmpty() ? "" : ", " + JobLine.printable(state));
    }
}
