// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static java.util.Objects.requireNonNull;

import java.util.Locale;

/** How far the moving of one file has come: a passing line for a person at a terminal, and one line at its end. */
public final class ProgressBar {
    private static final int WIDTH = 24;
    private static final long PAUSE_NANOS = 200_000_000;
    private static final double MIB = 1024.0 * 1024;

    private final Console console;
    private final String name;
    private final long total;
    private final long begun = System.nanoTime();
    private long shown = begun;
    private long bytes;

    /** @param total negative where it is not known */
    public ProgressBar(Console console, String name, long total) {
        this.console = requireNonNull(console, "console is null");
        this.name = requireNonNull(name, "name is null");
        this.total = total;
    }

    /** So many bytes are there. */
    public void at(long now) {
        bytes = now;
        long time = System.nanoTime();
        if (time - shown >= PAUSE_NANOS) {
            shown = time;
            console.passing(line(time));
        }
    }

    public String line(long time) {
        String rate = String.format(Locale.ROOT, "%.1f MiB/s", bytes / MIB / Math.max(1e-3, (time - begun) / 1e9));
        if (total <= 0) {
            return String.format(Locale.ROOT, "%s %.1f MiB, %s", name, bytes / MIB, rate);
        }
        // a file may become larger while it is moved, and a service may say what it likes
        double part = Math.min(1, (double) bytes / total);
        int full = (int) (WIDTH * part);
        return String.format(
                Locale.ROOT,
                "%s [%s%s] %d %%, %s",
                name,
                "#".repeat(full),
                " ".repeat(WIDTH - full),
                (int) (100 * part),
                rate);
    }

    /** It is over, well or not. */
    public void done(String word) {
        console.line("File " + name + " " + word + ": " + bytes + " bytes.");
    }
}
