// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The event log of the Fork starter: what Fork itself says of the ends of jobs. */
final class StarterRecord {

    private static final Pattern ENDED = Pattern.compile(
            "001;[^=]*;is=ended;tag=([0-9a-f-]{36});.*;wall=([0-9]{1,15});user_cpu=([0-9]{1,15});system_cpu=([0-9]{1,15});.*");

    private StarterRecord() {}

    /**
     * What one job used.
     *
     * @param job its id
     */
    record Used(String job, long wallMillis, long cpuMillis) {}

    /** The use of all jobs whose ends stand in the logs of a spool, by their ids. */
    static Map<String, Used> ends(Path spool) throws IOException {
        Map<String, Used> ends = new HashMap<>();
        List<Path> logs;
        try (Stream<Path> files = Files.list(spool)) {
            logs = files.filter(file -> file.getFileName().toString().matches("events\\.[0-9]{10}\\.log"))
                    .toList();
        }
        for (Path log : logs) {
            try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
                lines.forEach(line -> read(line).ifPresent(used -> ends.put(used.job(), used)));
            }
        }
        return ends;
    }

    /** What a line tells of an end; empty where it tells something else. */
    static Optional<Used> read(String line) {
        Matcher matcher = ENDED.matcher(line);
        return matcher.matches()
                ? Optional.of(new Used(
                        matcher.group(1),
                        Long.parseLong(matcher.group(2)),
                        Long.parseLong(matcher.group(3)) + Long.parseLong(matcher.group(4))))
                : Optional.empty();
    }
}
