// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jspecify.annotations.Nullable;

/**
 * A job as ADL and xRSL describe it: its files have names below a session directory, which the service makes for it.
 *
 * @param description the job without its directory and its transfers; held before its files are fetched where the client brings some
 * @param name that people gave it; absent for none
 * @param submissionKey by which a repeated submission is the same job: the variable {@code GRAM_CLIENT_KEY}; absent for none
 * @param uploads the files that the client puts into the session directory
 * @param pushesMore whether the client puts further files, which are not named, and says when it has done so
 * @param fetched the files that the service fetches
 * @param kept names of output files that stay for the client; a name with a slash behind it is a directory, {@code /} is all
 * @param sent the output files that the service sends
 * @param successCode the exit code other than which is a failure; absent: no exit code is
 * @param startBefore the job is not to start after that time
 * @param keepFor how long the session directory is to be kept after the end
 * @param notes what of the description has no effect here, one sentence each, for the owner
 */
public record Activity(
        JobDescription description,
        @Nullable String name,
        @Nullable String submissionKey,
        List<Upload> uploads,
        boolean pushesMore,
        List<FileUrl> fetched,
        List<String> kept,
        List<FileUrl> sent,
        @Nullable Integer successCode,
        @Nullable Instant startBefore,
        @Nullable Duration keepFor,
        List<String> notes) {

    /**
     * A file that the client brings.
     *
     * @param name below the session directory
     * @param isProgram whether it is to be executable
     * @param size in bytes, where the description says it
     */
    public record Upload(
            String name, boolean isProgram, @Nullable Long size) {

        public Upload {
            requireNonNull(name, "name is null");
        }
    }

    /**
     * A file and the URL that it comes from or goes to.
     *
     * @param name below the session directory
     * @param options of the transfer, as {@link Transfer} has them
     */
    public record FileUrl(String name, String url, Map<String, String> options) {

        public FileUrl {
            requireNonNull(name, "name is null");
            requireNonNull(url, "url is null");
            options = Map.copyOf(options);
        }
    }

    public Activity {
        requireNonNull(description, "description is null");
        uploads = List.copyOf(uploads);
        fetched = List.copyOf(fetched);
        kept = List.copyOf(kept);
        sent = List.copyOf(sent);
        notes = List.copyOf(notes);
    }

    /** Whether the client must put files before the job can start. */
    public boolean awaitsFiles() {
        return pushesMore || !uploads.isEmpty();
    }

    /**
     * The job with this session directory.
     *
     * @param directory an absolute path without a slash at its end
     */
    public JobDescription placed(String directory) {
        if (!directory.startsWith("/") || directory.endsWith("/")) {
            throw new IllegalArgumentException("the session directory is no absolute path: " + directory);
        }
        List<Transfer> in = new ArrayList<>();
        for (FileUrl file : fetched) {
            in.add(new Transfer(file.url(), SessionNames.url(directory, file.name()), file.options()));
        }
        List<Transfer> out = new ArrayList<>();
        for (FileUrl file : sent) {
            out.add(new Transfer(SessionNames.url(directory, file.name()), file.url(), file.options()));
        }
        return description.toBuilder()
                .directory(directory)
                .transfers(new TransferList(in, out, List.of()))
                .build();
    }

    /** What ADL and xRSL could say of a job that was described in any language: with its files, as far as they are below its directory. */
    public static Activity of(JobDescription job) {
        String directory = job.directory();
        List<FileUrl> in = new ArrayList<>();
        List<FileUrl> out = new ArrayList<>();
        if (directory != null) {
            for (Transfer transfer : job.transfers().stageIn()) {
                SessionNames.below(directory, transfer.destination())
                        .ifPresent(file -> in.add(new FileUrl(file, transfer.source(), transfer.options())));
            }
            for (Transfer transfer : job.transfers().stageOut()) {
                SessionNames.below(directory, transfer.source())
                        .ifPresent(file -> out.add(new FileUrl(file, transfer.destination(), transfer.options())));
            }
        }
        return new Activity(
                job.toBuilder().directory(null).transfers(TransferList.NONE).build(),
                null,
                null,
                List.of(),
                job.holdAt() == JobState.STAGE_IN,
                in,
                List.of(),
                out,
                null,
                null,
                null,
                List.of());
    }
}
