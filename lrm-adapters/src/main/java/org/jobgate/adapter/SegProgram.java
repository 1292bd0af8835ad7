// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a scheduler event generator of the site's running and reads its lines. It is started with {@code -t} and the time from which on
 * it is to tell; one that ends is started again, later and later while it lives for less than two seconds.
 */
final class SegProgram implements AutoCloseable {

    /** Takes lines in order and answers when they are on disk. */
    @FunctionalInterface
    interface Taker {
        void take(List<SegLine> lines) throws InterruptedException;
    }

    private static final Logger log = LoggerFactory.getLogger(SegProgram.class);
    private static final Duration SHORT_LIFE = Duration.ofSeconds(2);
    private static final int BATCH = 500;
    private static final int MAX_NOISE_LINES = 50;
    private static final int MAX_NOISE = 300;

    private final String name;
    private final List<String> command;
    private final Supplier<Long> since;
    private final Taker taker;
    private final Thread thread;
    private volatile String trouble = "";
    private volatile boolean isClosed;
    private volatile @Nullable Process current;
    private int noise;

    /** @param since the seconds since 1970 from which on the lines are wanted, at each start of the program */
    SegProgram(String name, List<String> command, Supplier<Long> since, Taker taker) {
        this.name = requireNonNull(name, "name is null");
        this.command = List.copyOf(command);
        this.since = requireNonNull(since, "since is null");
        this.taker = requireNonNull(taker, "taker is null");
        this.thread = Thread.ofPlatform().daemon().name("seg-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Why it does not run at present; empty while it does. */
    String trouble() {
        return trouble;
    }

    private void run() {
        int shortLives = 0;
        while (!isClosed) {
            long began = System.nanoTime();
            String why = once();
            boolean wasShort = System.nanoTime() - began < SHORT_LIFE.toNanos();
            shortLives = wasShort ? Math.min(shortLives + 1, 20) : 0;
            if (isClosed) {
                return;
            }
            trouble = "its scheduler event generator " + command.getFirst() + " " + why
                    + "; no news of jobs comes until it runs again";
            log.warn("LRM {}: {}", name, trouble);
            try {
                Thread.sleep(shortLives == 0 ? WorkerSupervisor.FIRST_BACK_OFF : WorkerSupervisor.backOff(shortLives));
            } catch (InterruptedException e) {
                return; // closed
            }
        }
    }

    /** One life of the program; answers how it ended. */
    private String once() {
        List<String> words = new ArrayList<>(command);
        words.add("-t");
        words.add(Long.toString(since.get()));
        Process process;
        try {
            process = new ProcessBuilder(words).start();
            process.getOutputStream().close();
        } catch (IOException e) {
            return "cannot be started: " + e.getMessage();
        }
        current = process;
        // a read of a pipe keeps the carrier of a virtual thread for as long as nothing comes
        Thread.ofPlatform().daemon().name("seg-" + name + "-words").start(() -> listen(process.getErrorStream()));
        try (InputStream out = process.getInputStream()) {
            trouble = "";
            read(new BufferedReader(new InputStreamReader(out, StandardCharsets.UTF_8)));
            return process.waitFor(2, TimeUnit.SECONDS)
                    ? "ended with exit code " + process.exitValue()
                    : "closed its output";
        } catch (IOException | RuntimeException e) {
            return "was given up: " + e.getMessage();
        } catch (InterruptedException e) {
            return "was stopped";
        } finally {
            process.destroyForcibly();
        }
    }

    private void read(BufferedReader reader) throws IOException, InterruptedException {
        List<SegLine> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int next = reader.read(); next >= 0; next = reader.read()) {
            if (next != '\n') {
                if (line.length() <= SegLine.MAX_LENGTH) {
                    line.append((char) next);
                }
                continue;
            }
            take(line.toString(), lines);
            line.setLength(0);
            if (lines.size() >= BATCH || (!lines.isEmpty() && !reader.ready())) {
                taker.take(List.copyOf(lines));
                lines.clear();
            }
        }
        if (!lines.isEmpty()) {
            taker.take(List.copyOf(lines)); // half a line behind them is told again by the next one
        }
    }

    private void take(String text, List<SegLine> lines) {
        SegLine.parse(text).ifPresentOrElse(lines::add, () -> noise(text));
    }

    private void listen(InputStream errors) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(errors, StandardCharsets.UTF_8))) {
            char[] buffer = new char[MAX_NOISE];
            for (int length = reader.read(buffer); length >= 0; length = reader.read(buffer)) {
                noise(new String(buffer, 0, length));
            }
        } catch (IOException e) {
            log.debug("the standard error of the event generator of {} was closed: {}", name, e.getMessage());
        }
    }

    private synchronized void noise(String text) {
        String clean = text.replaceAll("\\p{Cntrl}+", " ").strip();
        if (!clean.isEmpty() && ++noise <= MAX_NOISE_LINES) {
            log.warn(
                    "the event generator of {} said: {}",
                    name,
                    clean.substring(0, Math.min(clean.length(), MAX_NOISE)));
        }
    }

    @Override
    public void close() {
        isClosed = true;
        Process running = current;
        if (running != null) {
            running.destroyForcibly(); // a read of its output cannot be interrupted
        }
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
