// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.jsdl;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jobgate.job.FileTokens;
import org.jobgate.job.JobDescription;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jspecify.annotations.Nullable;

/**
 * The files that a sweep fills in. Its points run at the same time, so each that has files in its working directory has one of its own; a file
 * at a place that the document says for all of them must be the same for all.
 */
final class FilledFiles {

    /**
     * What is copied to a place.
     *
     * @param tokens what is replaced in it; empty for nothing
     */
    private record Content(String source, String tokens) {
        boolean isFilled() {
            return !tokens.isEmpty();
        }
    }

    private final Map<String, Content> contents = new HashMap<>();

    private int points;

    /** The directory of the next point: named by its number, which is also that of its activity. */
    String nextDirectory() {
        String directory = "point-" + points;
        points++;
        return directory;
    }

    /** Whether a file is fetched to the directory, which makes it. */
    static boolean isMade(@Nullable String directory, FileSystems fileSystems, TransferList files) {
        if (directory == null) {
            return false;
        }
        Optional<String> whole = directory.startsWith("/")
                ? Optional.of(directory)
                : fileSystems.mountPoint(FileSystems.HOME).map(home -> FileSystems.joined(home, directory));
        // without a home no file could be named relative to it
        return whole.map(path -> Staging.url(path) + "/")
                .filter(url -> files.stageIn().stream()
                        .anyMatch(file -> file.destination().startsWith(url)))
                .isPresent();
    }

    /** Refuses a file that would be another one for each of two points: filled in otherwise, or filled in for one of them only. */
    void requireOwn(Node sweep, JobDescription job) {
        for (Transfer file : job.transfers().stageIn()) {
            Content content = new Content(file.source(), file.options().getOrDefault(FileTokens.OPTION, ""));
            Content known = contents.putIfAbsent(file.destination(), content);
            if (known != null && !known.equals(content) && (known.isFilled() || content.isFilled())) {
                throw JsdlFaults.unsupported(
                        sweep,
                        "two points would have one file of different content: " + JsdlFaults.shown(file.destination()),
                        "Name the template by a FileName that is relative to the working directory, or sweep the FileName too.");
            }
        }
    }
}
