// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job that runs for a second or two, so that the clients that want to be told of its end listen by then, and as its very last act writes the time.
 *
 * @param file of that job alone, in a directory that its account may write to
 * @param run how long it runs, in whole milliseconds
 */
record LastAct(Path file, Duration run) {

    /** The shell becomes date, which ends when it has written: nothing of the job comes after. */
    private static final String SCRIPT = "sleep \"$1\"; exec date +%s.%N > \"$0\"";

    private static final long LEAST_MS = 1_000;
    private static final long SPREAD_MS = 1_000;

    /** Has no divisor in common with the spread: a thousand jobs one after another run for as many different times. */
    private static final long STEP_MS = 377;

    private static final Pattern TIME = Pattern.compile("([0-9]{1,12})\\.([0-9]{9})\n");

    LastAct {
        requireNonNull(file, "file is null");
        requireNonNull(run, "run is null");
    }

    /**
     * The job of this number in the directory. No two one after another run for the same time: jobs that are submitted at a steady pace must
     * not end at the pace at which somebody looks for their ends.
     */
    static LastAct of(Path directory, int number) {
        return new LastAct(
                directory.resolve("ended." + number), Duration.ofMillis(LEAST_MS + number * STEP_MS % SPREAD_MS));
    }

    /** The words of it. */
    List<String> program() {
        return List.of(
                "/bin/sh",
                "-c",
                SCRIPT,
                file.toString(),
                BigDecimal.valueOf(run.toMillis(), 3).toPlainString());
    }

    /**
     * When it ended, by this machine's clock; empty where it did not come so far.
     *
     * @throws IOException if the file holds anything else
     */
    Optional<Instant> ended() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        return text.isEmpty() ? Optional.empty() : Optional.of(time(text));
    }

    /** Seconds and nanoseconds since 1970, as {@code date +%s.%N} writes them. */
    static Instant time(String text) throws IOException {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            throw new IOException("not a time of date +%s.%N: " + text.strip());
        }
        return Instant.ofEpochSecond(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }
}
