// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jobgate.perf.report.Spread;

/** Tells how far a long run has come: on a terminal by a bar that is drawn over itself, elsewhere by a line now and then. */
final class Progress {

    private static final long TERMINAL_NANOS = 200_000_000L;
    private static final long FILE_NANOS = 15_000_000_000L;
    private static final int WIDTH = 30;
    private static final double FULL = 100;

    private final PrintStream out;
    private final boolean isTerminal;
    private final String what;
    private final long total;
    private final long begin = System.nanoTime();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong next;

    Progress(PrintStream out, boolean isTerminal, String what, long total) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.what = what;
        this.total = Math.max(1, total);
        this.next = new AtomicLong(begin + pause());
    }

    /** On standard error. */
    static Progress of(String what, long total) {
        return new Progress(System.err, isTerminal(Path.of("/proc/self/fd/2")), what, total);
    }

    private static boolean isTerminal(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith("/dev/pts");
        } catch (IOException noSuchSystem) {
            return false;
        }
    }

    /** One more is done. */
    void step() {
        at(done.incrementAndGet());
    }

    /** So many are done now. */
    void at(long now) {
        long due = next.get();
        long clock = System.nanoTime();
        if (clock >= due && next.compareAndSet(due, clock + pause())) {
            show(now);
        }
    }

    /** All that will be done is done. */
    void end() {
        if (isTerminal) {
            out.print("\r\033[K");
            out.flush();
        }
    }

    private long pause() {
        return isTerminal ? TERMINAL_NANOS : FILE_NANOS;
    }

    private void show(long now) {
        double share = Math.min(1, (double) now / total);
        String text = what + ": " + now + " of " + total + " (" + Math.round(share * FULL) + " %), "
                + Spread.show((System.nanoTime() - begin) / 1e9) + " s";
        if (isTerminal) {
            int full = (int) Math.round(share * WIDTH);
            out.print("\r\033[Kperf: [" + "#".repeat(full) + " ".repeat(WIDTH - full) + "] " + text);
            out.flush();
        } else {
            out.println("perf: " + text);
        }
    }
}
