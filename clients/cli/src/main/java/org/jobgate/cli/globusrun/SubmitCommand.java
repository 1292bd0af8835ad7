// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;
import org.jspecify.annotations.Nullable;

/** {@code -submit} and {@code -monitor}: create the job where it does not exist, follow it, take it away, end as it ended. */
final class SubmitCommand {
    private final CommandLine line;
    private final Session session;
    private final Console console;
    private final JobService service;
    private final @Nullable Streaming streaming;

    /** @param streaming null where the job's output is not to be shown */
    SubmitCommand(CommandLine line, Session session, Console console, @Nullable Streaming streaming) {
        this.line = requireNonNull(line, "line is null");
        this.session = requireNonNull(session, "session is null");
        this.console = requireNonNull(console, "console is null");
        this.service = new JobService(session.soap());
        this.streaming = streaming;
    }

    /** Submits; unless {@code -batch}, stays with the job to its end. Returns the exit code of the process. */
    int submit(Clock clock, PrintStream out) throws CommandException, InterruptedException {
        JobDelegation delegation = new JobDelegation(line, session, console, clock);
        Submission asked = Submission.of(line, clock);
        Packing packing = new Packing(Packing.Mode.of(line.value(Option.COMPRESS)));
        OwnFiles files = OwnFiles.of(asked, new OwnNames(line.has(Option.LOCAL_FILES)), Streaming.isAskedFor(line));
        if (line.has(Option.BATCH) && !files.outputs().isEmpty()) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "Files can only be fetched to your machine while this command stays with the job: leave out -batch.");
        }
        Submission submission = delegation.prepare(asked.withDescription(files.description()));
        String idFile = line.value(Option.SUBMISSION_ID_OUTPUT);
        if (idFile != null) {
            // before the job exists: whatever happens then, it can be found again
            EprFile.write(Path.of(idFile), submission.id());
        }
        Cancellation cancellation = cancellation();
        try {
            JobService.Created created = create(submission);
            cancellation.submitted(created.job());
            console.line("Job ID: " + submission.id());
            console.line("Termination time: " + XmlTime.toConsole(created.terminationTime()));
            console.line("Job resource: " + created.job().resourceId());
            hand(created.job(), out);
            OwnFileSteps steps = files.isAny() ? bring(files, created.job(), packing) : null;
            if (line.has(Option.BATCH)) {
                return ExitStatus.OK.code();
            }
            int status = follow(created.job(), JobState.SUBMITTED, submission.id(), steps);
            delegation.cleanUp();
            return status;
        } finally {
            cancellation.over();
        }
    }

    /** The job waits for the files; if they cannot be brought it is of no use. */
    private OwnFileSteps bring(OwnFiles files, Epr job, Packing packing) throws CommandException, InterruptedException {
        OwnFileSteps steps = new OwnFileSteps(
                files, new OwnFileMover(session, console, packing), service, new Progress(console), streaming, job);
        try {
            steps.bring();
            return steps;
        } catch (CommandException e) {
            giveUp(job);
            throw e;
        } catch (IOException e) {
            giveUp(job);
            throw CommandException.ofContact("Error bringing the job's files: ", e);
        } catch (SoapFaultException e) {
            giveUp(job);
            throw new CommandException(ExitStatus.REFUSED, "Error bringing the job's files: " + e.getMessage(), e);
        }
    }

    private void giveUp(Epr job) {
        if (!line.has(Option.NO_CLEANUP)) {
            destroy(job);
        }
    }

    private Cancellation cancellation() {
        Cancellation cancellation = new Cancellation(session, console);
        if (streaming != null) {
            cancellation.first(streaming::giveUp);
        }
        if (!line.has(Option.NO_CLEANUP)) {
            cancellation.arm();
        }
        return cancellation;
    }

    private JobService.Created create(Submission submission) throws CommandException, InterruptedException {
        console.begin("Submitting job...");
        try {
            JobService.Created created = submission.send(service, console);
            console.finish("Done.");
            return created;
        } catch (SoapFaultException e) {
            console.finish("Failed.");
            throw new CommandException(ExitStatus.REFUSED, "Error submitting job: " + e.getMessage(), e);
        } catch (CommandException e) {
            console.finish("Failed.");
            throw e;
        }
    }

    private void hand(Epr job, PrintStream out) throws CommandException {
        String file = line.value(Option.EPR_OUTPUT);
        if (file != null) {
            EprFile.write(Path.of(file), job.toFileText());
        } else if (line.has(Option.BATCH)) {
            out.println(job.toFileText());
        }
    }

    /** Goes on with a job submitted earlier. */
    int monitor(Epr job) throws CommandException, InterruptedException {
        Cancellation cancellation = cancellation();
        cancellation.submitted(job);
        try {
            console.begin("Requesting original job description...");
            JobState now = service.state(job);
            console.finish("Done.");
            console.line(now.line());
            return follow(job, now, "", null);
        } catch (IOException e) {
            console.finish("Failed.");
            throw CommandException.ofContact("Error querying job state: ", e);
        } catch (SoapFaultException e) {
            console.finish("Failed.");
            throw new CommandException(ExitStatus.REFUSED, "Error querying job state: " + e.getMessage(), e);
        } finally {
            cancellation.over();
        }
    }

    private int follow(Epr job, JobState start, String id, @Nullable OwnFileSteps steps)
            throws CommandException, InterruptedException {
        JobState end;
        try {
            if (streaming != null) {
                streaming.start(job, steps == null);
            }
            JobWatch.News news = steps == null ? new Progress(console) : steps;
            end = new JobWatch(service, session.httpTimeout(), console).toEnd(job, start, news);
        } catch (IOException | SoapFaultException e) {
            String back =
                    id.isEmpty() ? "" : " Submit the same again with -submission-id " + id + " to get back to it.";
            throw new CommandException(
                    ExitStatus.JOB_LOST,
                    "Error querying job state: " + e.getMessage() + " The job may still run." + back,
                    e);
        }
        if (streaming != null) {
            streaming.await();
        }
        if (steps != null) {
            steps.ended(end);
        }
        destroy(job);
        int status = end.exitStatus(console);
        boolean isIncomplete = steps != null && !steps.isWhole();
        return status == ExitStatus.OK.code() && isIncomplete ? ExitStatus.REFUSED.code() : status;
    }

    /** The job has ended and its result is known: that it could not be removed changes neither. */
    private void destroy(Epr job) {
        console.begin("Destroying job...");
        try {
            service.destroy(job);
            console.finish("Done.");
        } catch (IOException | SoapFaultException e) {
            console.finish("Failed.");
            console.error("Error destroying job: " + e.getMessage() + " It goes at its termination time.");
        }
    }
}
