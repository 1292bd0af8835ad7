// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.files;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jobgate.files.FileNames;
import org.jobgate.files.FilePlace;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.ShortText;
import org.jspecify.annotations.Nullable;

/**
 * A request, read: {@code /jobs/ID/stdout}, {@code /jobs/ID/stderr}, {@code /jobs/ID/files/PATH}, or {@code /jobs/ID/files/PATH/} for a
 * directory.
 *
 * @param kind what follows the id
 * @param names the path below the directory; empty for the others, and for the directory itself
 * @param isDirectory whether the path ends with a slash
 * @param patience how long to wait for more; absent where the request does not wait
 * @param file which file the client has read before, if it says so
 */
record FileRequest(
        JobId job,
        Kind kind,
        List<String> names,
        boolean isDirectory,
        ByteRange range,
        @Nullable Duration patience,
        @Nullable String file) {

    /** The header by which an answer names the file, and a request the file that it means. */
    static final String FILE_HEADER = "Jobgate-File";

    private static final int MAX_WAIT_DIGITS = 6;

    /** Which file is meant. */
    enum Kind {
        STDOUT,
        STDERR,
        FILES
    }

    static FileRequest of(HttpServletRequest request) throws FileRefusal {
        String path = String.valueOf(request.getRequestURI());
        // the encoded path: a %2F in a name must not become a separator
        List<String> parts = List.of(path.split("/", -1));
        if (parts.size() < 4) {
            throw FileRefusal.unknownName(path);
        }
        JobId job = job(parts.get(2));
        boolean isDirectory = parts.size() > 4 && parts.getLast().isEmpty();
        List<String> names = names(parts.subList(4, parts.size() - (isDirectory ? 1 : 0)));
        Kind kind = kind(parts.get(3), names, isDirectory)
                .orElseThrow(() -> FileRefusal.unknownName("/" + String.join("/", parts.subList(3, parts.size()))));
        return new FileRequest(
                job,
                kind,
                names,
                isDirectory,
                ByteRange.of(request.getHeader("Range")),
                waiting(Query.value(request, "wait")),
                request.getHeader(FILE_HEADER));
    }

    private static JobId job(String text) throws FileRefusal {
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException e) {
            throw FileRefusal.unknownJob(ShortText.of(text, 60));
        }
    }

    private static Optional<Kind> kind(String word, List<String> names, boolean isDirectory) {
        return switch (word) {
            case "stdout" -> Optional.of(Kind.STDOUT).filter(kind -> names.isEmpty() && !isDirectory);
            case "stderr" -> Optional.of(Kind.STDERR).filter(kind -> names.isEmpty() && !isDirectory);
            case "files" -> Optional.of(Kind.FILES).filter(kind -> isDirectory || !names.isEmpty());
            default -> Optional.empty();
        };
    }

    private static List<String> names(List<String> encoded) throws FileRefusal {
        List<String> names = new ArrayList<>(encoded.size());
        try {
            for (String part : encoded) {
                names.add(FileNames.decoded(part));
            }
            if (!names.isEmpty()) {
                // judged here, where a refusal can say so
                new FilePlace.Below(null, names);
            }
            return names;
        } catch (IllegalArgumentException e) {
            throw FileRefusal.badRequest("The path cannot be used: " + e.getMessage() + ".");
        }
    }

    private static @Nullable Duration waiting(@Nullable String seconds) throws FileRefusal {
        if (seconds == null) {
            return null;
        }
        if (!seconds.matches("[0-9]{1," + MAX_WAIT_DIGITS + "}")) {
            throw FileRefusal.badRequest("wait is " + seconds + ", which is not a number of seconds.");
        }
        return Duration.ofSeconds(Long.parseLong(seconds));
    }

    /** The same without a range. */
    FileRequest whole() {
        return new FileRequest(job, kind, names, isDirectory, ByteRange.WHOLE, patience, file);
    }

    /** Whether the job itself writes the file, from its start on: what has its name before is older. */
    boolean isOutput() {
        return kind != Kind.FILES;
    }

    /** Where the file is; refused where the job has none. */
    FilePlace place(JobDescription description) throws FileRefusal {
        String directory = description.directory();
        if (kind == Kind.FILES) {
            return new FilePlace.Below(directory, names);
        }
        String path = kind == Kind.STDOUT ? description.stdout() : description.stderr();
        if (path == null || path.isEmpty()) {
            String word = kind == Kind.STDOUT ? "stdout" : "stderr";
            throw FileRefusal.noFile("The job keeps no " + word + ": its description names no file for it.");
        }
        return new FilePlace.Named(directory, path);
    }
}
