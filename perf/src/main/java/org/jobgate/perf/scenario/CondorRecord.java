// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The event log of an HTCondor pool (its EVENT_LOG, with times in UTC and milliseconds), from where it ended when this was made: the LRM's
 * own record of the ends of jobs.
 */
final class CondorRecord {

    private static final Pattern TERMINATED = Pattern.compile("005 \\(([0-9]{1,9})\\.([0-9]{1,9})\\.[0-9]{1,9}\\) "
            + "([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3})Z Job terminated\\..*");

    private final Path log;
    private final long from;

    private CondorRecord(Path log, long from) {
        this.log = log;
        this.from = from;
    }

    /** What will be written from now on. */
    static CondorRecord fromNow(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(requireNonNull(log, "log is null"), StandardOpenOption.READ)) {
            return new CondorRecord(log, channel.size());
        }
    }

    /**
     * When which process of which cluster terminated, by {@code cluster.process}.
     *
     * @throws IOException if it cannot be read, or HTCondor has begun the log anew meanwhile
     */
    Map<String, Instant> ends() throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            if (channel.size() < from) {
                throw new IOException(log + " was begun anew during the turn");
            }
            channel.position(from);
            Map<String, Instant> ends = new HashMap<>();
            BufferedReader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.ISO_8859_1));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                read(line).ifPresent(end -> ends.put(end.job(), end.at()));
            }
            return ends;
        }
    }

    /** The end that a line tells of; empty where it tells something else. */
    static Optional<End> read(String line) {
        Matcher matcher = TERMINATED.matcher(line);
        return matcher.matches()
                ? Optional.of(new End(
                        Integer.parseInt(matcher.group(1)) + "." + Integer.parseInt(matcher.group(2)),
                        Instant.parse(matcher.group(3) + "T" + matcher.group(4) + "Z")))
                : Optional.empty();
    }

    /**
     * One end.
     *
     * @param job cluster and process, without leading zeros
     */
    record End(String job, Instant at) {}
}
