// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.util.function.BooleanSupplier;

/** Progress on one stream, complaints on another. */
public final class Console {
    private final String command;
    private final PrintStream progress;
    private final PrintStream errors;
    private final boolean isQuiet;
    private final BooleanSupplier isTerminal;
    private int passingLength;

    /**
     * A console.
     *
     * @param command the name before each complaint
     * @param progress stdout; stderr where stdout is for something else
     * @param isTerminal asked only when there is a passing line to show
     */
    public Console(
            String command, PrintStream progress, PrintStream errors, boolean isQuiet, BooleanSupplier isTerminal) {
        this.command = requireNonNull(command, "command is null");
        this.progress = requireNonNull(progress, "progress is null");
        this.errors = requireNonNull(errors, "errors is null");
        this.isQuiet = isQuiet;
        this.isTerminal = requireNonNull(isTerminal, "isTerminal is null");
    }

    /** Whether stdin and stdout are both a person's terminal. */
    @SuppressWarnings(
            "SystemConsoleNull") // the launcher chooses jdk.console=java.base, which is null without a terminal
    public static boolean isAtTerminal() {
        return System.console() != null;
    }

    /** The beginning of a line that {@link #finish} ends. */
    public void begin(String text) {
        if (!isQuiet) {
            wipe();
            progress.print(text);
            progress.flush();
        }
    }

    public void finish(String text) {
        line(text);
    }

    public void line(String text) {
        if (!isQuiet) {
            wipe();
            progress.println(text);
        }
    }

    /** A line that the next one overwrites; shown to people only, on stderr. */
    public void passing(String text) {
        if (showsPassing()) {
            wipe();
            errors.print(text);
            errors.flush();
            passingLength = text.length();
        }
    }

    /** Whether anybody sees passing lines. */
    public boolean showsPassing() {
        return !isQuiet && isTerminal.getAsBoolean();
    }

    private void wipe() {
        if (passingLength > 0) {
            errors.print("\r" + " ".repeat(passingLength) + "\r");
            errors.flush();
            passingLength = 0;
        }
    }

    /** What need not be known, on stderr; nothing where quiet was asked for. */
    public void note(String text) {
        if (!isQuiet) {
            error(text);
        }
    }

    public void error(String text) {
        wipe();
        progress.flush();
        errors.println(command + ": " + text);
    }
}
