// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;
import org.jspecify.annotations.Nullable;

/** When files of this machine are brought and fetched in the life of a job: while it is held before its start, and before its clean-up. */
final class OwnFileSteps implements JobWatch.News {
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final OwnFiles files;
    private final OwnFileMover mover;
    private final JobService service;
    private final JobWatch.News next;
    private final @Nullable Streaming streaming;
    private final Epr job;
    private boolean isFetched;
    private boolean isWhole = true;

    /**
     * Those of one job.
     *
     * @param next told of each state, too
     * @param streaming waited for before the job is released; null where its output is not shown
     */
    OwnFileSteps(
            OwnFiles files,
            OwnFileMover mover,
            JobService service,
            JobWatch.News next,
            @Nullable Streaming streaming,
            Epr job) {
        this.files = requireNonNull(files, "files is null");
        this.mover = requireNonNull(mover, "mover is null");
        this.service = requireNonNull(service, "service is null");
        this.next = requireNonNull(next, "next is null");
        this.streaming = streaming;
        this.job = requireNonNull(job, "job is null");
    }

    /** Brings the files and lets the job go on. */
    void bring() throws CommandException, InterruptedException, IOException, SoapFaultException {
        mover.bring(job, files.inputs());
        JobState state = service.state(job);
        while (state.state().equals("Unsubmitted") || state.state().isEmpty()) {
            state = service.awaitChange(job, state, WAIT);
        }
        if (state.holding() && state.state().equals("StageIn")) {
            service.release(job);
        } else if (!state.isTerminal()) {
            throw new CommandException(
                    ExitStatus.REFUSED,
                    "The service did not hold the job for its files (" + state.shown() + "), so it ran without them.");
        }
    }

    @Override
    public void changed(JobState state) throws CommandException, InterruptedException {
        next.changed(state);
        if (state.holding() && state.state().equals("CleanUp")) {
            fetch();
            if (files.releasesAtEnd()) {
                release();
            }
        }
    }

    private void release() throws CommandException {
        try {
            service.release(job);
        } catch (IOException | SoapFaultException e) {
            throw new CommandException(
                    ExitStatus.CONTACT,
                    "The job's files were fetched, but it cannot be released: " + e.getMessage() + " Use -release.",
                    e);
        }
    }

    private void fetch() throws CommandException, InterruptedException {
        if (isFetched) {
            return;
        }
        isFetched = true;
        if (streaming != null) {
            streaming.await();
        }
        isWhole = mover.fetch(job, files.outputs());
    }

    /** The job has ended; what could not be fetched before, as nothing held it, is fetched now. */
    void ended(JobState end) throws CommandException, InterruptedException {
        if (end.isDone() && !files.outputs().isEmpty()) {
            fetch();
        }
    }

    /** Whether everything that was to be fetched was. */
    boolean isWhole() {
        return isWhole;
    }

    @Override
    public void unchanged(JobState state, Duration since, String reason) {
        next.unchanged(state, since, reason);
    }
}
