// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.cream;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jobgate.cli.text.Sentence;

/** A file of ids of jobs: the line {@code ##CREAMJOBS##}, then one id on each line. */
final class JobIdFile {

    private static final String FIRST_LINE = "##CREAMJOBS##";
    private static final long BYTES_MAX = 64 << 20;

    private final Path file;

    JobIdFile(String name) {
        this.file = Path.of(name);
    }

    /** Whether there is a file of that name which is none of ids. */
    boolean isForeign() throws CreamException {
        if (!Files.exists(file)) {
            return false;
        }
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String first = reader.readLine();
            return first == null || !first.strip().equals(FIRST_LINE);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    List<String> read() throws CreamException {
        try {
            if (isForeign()) {
                throw new CreamException("File [" + file + "] is not a CREAM job list file. Stop.");
            }
            if (Files.size(file) > BYTES_MAX) {
                throw new CreamException("File [" + file + "] is larger than 64 MiB. Stop.");
            }
            return Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .distinct()
                    .toList();
        } catch (NoSuchFileException e) {
            throw new CreamException("Error accessing file [" + file + "]: No such file or directory. Stop.", e);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Adds the ids that it does not hold; what is no such file is replaced. */
    void add(List<String> ids) throws CreamException {
        boolean isNew = !Files.exists(file) || isForeign();
        Set<String> all = new LinkedHashSet<>(ids);
        if (!isNew) {
            read().forEach(all::remove);
        }
        StringBuilder lines = new StringBuilder(isNew ? FIRST_LINE + "\n" : "");
        all.forEach(id -> lines.append(id).append('\n'));
        try {
            if (isNew) {
                Files.writeString(file, lines);
            } else {
                Files.writeString(file, (endsWithLine() ? "" : "\n") + lines, StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            throw new CreamException("File [" + file + "] cannot be written: " + Sentence.reason(e) + ".", e);
        }
    }

    /** Programs write such files without a line end behind the last id. */
    private boolean endsWithLine() throws IOException {
        String text = Files.readString(file);
        return text.isEmpty() || text.endsWith("\n");
    }

    private CreamException unreadable(IOException e) {
        return new CreamException("Error accessing file [" + file + "]: " + Sentence.reason(e) + ". Stop.", e);
    }
}
