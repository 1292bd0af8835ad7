// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The variables of job descriptions that a site defines for one LRM (facts/gram4.md section 2.2): a file of lines
 * {@code NAME=text}, where the text may name other variables. Empty lines and lines that begin with {@code #} are ignored.
 *
 * <p>The file is read again when it is asked for after the period. A file that cannot be read then changes nothing, and the log says
 * why: jobs are not refused because somebody edits a file.
 */
public final class SiteDefinitions {

    private static final Logger LOG = LoggerFactory.getLogger(SiteDefinitions.class);
    private static final long MAX_BYTES = 1024 * 1024;

    private final Path file;
    private final Duration period;
    private final Clock clock;
    private Map<String, String> definitions;
    private Instant read;

    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read, is larger than 1 MiB, or a line of it is no definition; the message names the line
     */
    public SiteDefinitions(Path file, Duration period, Clock clock) throws IOException {
        this.file = requireNonNull(file, "file is null");
        this.period = requireNonNull(period, "period is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.definitions = parse(file);
        this.read = clock.instant();
    }

    /** The text that the site says for the variable. */
    public synchronized Optional<String> find(String name) {
        Instant now = clock.instant();
        if (!now.isBefore(read.plus(period))) {
            read = now;
            readAgain();
        }
        return Optional.ofNullable(definitions.get(name));
    }

    private void readAgain() {
        try {
            definitions = parse(file);
        } catch (IOException e) {
            LOG.warn("The variables of job descriptions stay as they were: {}", e.getMessage());
        }
    }

    private static Map<String, String> parse(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        Map<String, String> definitions = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                define(definitions, line, file + ", line " + (i + 1));
            }
        }
        return Map.copyOf(definitions);
    }

    private static void define(Map<String, String> definitions, String line, String where) throws IOException {
        int equals = line.indexOf('=');
        String name = equals < 0 ? line : line.substring(0, equals).strip();
        if (equals < 0 || !name.matches("[A-Za-z_][A-Za-z0-9_.]{0,127}")) {
            throw new IOException(
                    where + ": '" + name + "' is no definition; write NAME=text, the name of letters, digits, _ and .");
        }
        if (definitions.put(name, line.substring(equals + 1).strip()) != null) {
            throw new IOException(where + ": " + name + " is defined twice");
        }
    }
}
