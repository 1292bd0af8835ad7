// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.HashMap;
import java.util.Map;
import org.jobgate.job.FileTokens;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;

/**
 * The files that a sweep fills in. Its points run at the same time, so each has a directory of its own for them; a file at a place that the
 * document says for all of them must be the same for all.
 */
final class FilledFiles {

    /** What is copied to each place, and what is replaced in it. */
    private final Map<String, String> contents = new HashMap<>();

    private int points;

    /** The directory of the next point: named by its number, which is also that of its activity. */
    String nextDirectory() {
        String directory = "point-" + points;
        points++;
        return directory;
    }

    /** Refuses a file that would be another one for each of two points. */
    void requireOwn(Node sweep, JobDescription job) {
        for (Transfer file : job.transfers().stageIn()) {
            String tokens = file.options().get(FileTokens.OPTION);
            if (tokens == null) {
                continue;
            }
            String content = tokens + " " + file.source();
            if (!contents.computeIfAbsent(file.destination(), place -> content).equals(content)) {
                throw JsdlFaults.unsupported(
                        sweep,
                        "two points would have one file of different content: " + JsdlFaults.shown(file.destination()),
                        "Name the template by a FileName that is relative to the working directory, or sweep the FileName too.");
            }
        }
    }
}
