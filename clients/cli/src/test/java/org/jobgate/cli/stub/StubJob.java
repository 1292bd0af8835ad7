// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.stub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.cli.wire.Names;
import org.jobgate.cli.wire.XmlElement;

/** A job that runs nowhere: its description tells how it goes. */
final class StubJob {
    private static final Pattern EXIT = Pattern.compile("exit ([0-9]+)");
    private static final String HOME = "${GLOBUS_USER_HOME}/";
    private static final List<String> COURSE = List.of("Active", "CleanUp", "Done");

    private final XmlElement description;
    private final long stepMs;
    private final BooleanSupplier waits;
    private long begunNanos = System.nanoTime();
    private boolean isDestroyed;
    private boolean isReleased;

    StubJob(XmlElement description, long stepMs, String home, BooleanSupplier waits) {
        this.description = description;
        this.stepMs = stepMs;
        this.waits = waits;
        writeOutput(home);
    }

    /** A stub runs nothing: the "output" is the words of the program, written where a real job would write. */
    private void writeOutput(String home) {
        String stdout = description.childText(Names.DESCRIPTION, "stdout");
        Path folder = Path.of(home);
        if (stdout == null || !stdout.startsWith(HOME) || !Files.isDirectory(folder)) {
            return;
        }
        StringBuilder words = new StringBuilder(String.valueOf(description.childText(Names.DESCRIPTION, "executable")));
        description.children().stream()
                .filter(part -> part.name().equals("argument"))
                .forEach(part -> words.append(' ').append(part.text()));
        try {
            Files.writeString(folder.resolve(stdout.substring(HOME.length())), words.append('\n'));
            String stderr = String.valueOf(description.childText(Names.DESCRIPTION, "stderr"));
            Files.writeString(folder.resolve(stderr.substring(HOME.length())), "a complaint\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    XmlElement description() {
        return description;
    }

    /** Pending, then one step per {@code stepMs}; {@code sleep} stays Active, a path with "no-such" fails. */
    synchronized String state() {
        String executable = String.valueOf(description.childText(Names.DESCRIPTION, "executable"));
        if (executable.contains("no-such")) {
            return "Failed";
        }
        if (waits.getAsBoolean()) {
            begunNanos = System.nanoTime();
            return "Pending";
        }
        long steps = (System.nanoTime() - begunNanos) / 1_000_000 / stepMs;
        if (steps == 0) {
            return "Pending";
        }
        if (executable.endsWith("sleep")) {
            return "Active";
        }
        String last = isHeldAtCleanUp() ? "CleanUp" : "Done";
        return COURSE.get((int) Math.min(steps - 1, COURSE.indexOf(last)));
    }

    private boolean isHeldAtCleanUp() {
        return "CleanUp".equals(description.childText(Names.TYPES, "holdState")) && !isReleased;
    }

    synchronized boolean isHolding() {
        return isHeldAtCleanUp() && state().equals("CleanUp");
    }

    int exitCode() {
        for (XmlElement part : description.children()) {
            Matcher exit = EXIT.matcher(part.text());
            if (part.name().equals("argument") && exit.matches()) {
                return Integer.parseInt(exit.group(1));
            }
        }
        return 0;
    }

    synchronized void awaitOther(String state, boolean holding, long timeoutMs) {
        long deadline = System.nanoTime() + timeoutMs * 1_000_000;
        try {
            while (!isDestroyed && state().equals(state) && isHolding() == holding && System.nanoTime() < deadline) {
                wait(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void destroy() {
        isDestroyed = true;
        notifyAll();
    }

    synchronized void release() {
        isReleased = true;
        notifyAll();
    }

    synchronized boolean isDestroyed() {
        return isDestroyed;
    }
}
