// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.CommandPage;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.EprFile;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.ServiceOptions;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.command.Words;
import org.jobgate.cli.text.Sentence;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;
import org.jobgate.cli.wire.XmlElement;
import org.jspecify.annotations.Nullable;

/** The commands globus-job-run-ws, -submit-ws, -get-output-ws and -clean-ws: jobs as GT2's users started them. */
public final class GlobusJob {
    private static final int ANSWER_LENGTH_MAX = 80;

    private final Map<String, String> environment;
    private final Clock clock;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream errors;

    public GlobusJob(
            Map<String, String> environment, Clock clock, InputStream in, PrintStream out, PrintStream errors) {
        this.environment = Map.copyOf(environment);
        this.clock = requireNonNull(clock, "clock is null");
        this.in = requireNonNull(in, "in is null");
        this.out = requireNonNull(out, "out is null");
        this.errors = requireNonNull(errors, "errors is null");
    }

    /**
     * Does what one of the commands does.
     *
     * @return the status for the process
     */
    public int call(String name, String... words) throws CommandException, InterruptedException {
        return switch (name) {
            case "globus-job-run-ws", "globus-job-submit-ws" -> {
                Words sorted = JobRequest.sort(words);
                if (sorted.has(ServiceOptions.HELP) || sorted.has(ServiceOptions.VERSION)) {
                    yield tell(name, sorted.has(ServiceOptions.HELP));
                }
                yield name.equals("globus-job-run-ws") ? run(sorted) : submit(sorted);
            }
            default -> {
                Words sorted = Words.sort(HandleOption.TABLE, given -> Integer.MAX_VALUE, words);
                if (sorted.has(ServiceOptions.HELP) || sorted.has(ServiceOptions.VERSION)) {
                    yield tell(name, sorted.has(ServiceOptions.HELP));
                }
                yield name.equals("globus-job-get-output-ws") ? getOutput(sorted) : clean(sorted);
            }
        };
    }

    private int tell(String name, boolean isHelp) {
        out.println(isHelp ? GlobusJobPages.page(name).help() : CommandPage.version(name));
        return ExitStatus.OK.code();
    }

    /** globus-job-run-ws: runs, waits, shows the output. Returns the job's exit code. */
    private int run(Words words) throws CommandException, InterruptedException {
        Submission submission = JobRequest.of(words, clock);
        if (words.has(JobOption.DUMP)) {
            return dump(submission);
        }
        Console console = console("globus-job-run-ws", !words.has(JobOption.VERBOSE));
        try (Session session = open(words)) {
            JobService service = new JobService(session.soap());
            Cancellation cancellation = new Cancellation(session, console);
            cancellation.arm();
            try {
                Epr job = submit(submission, service, words, console);
                cancellation.submitted(job);
                JobState end = follow(session, service, job, submission, console);
                show(session, service, job, console);
                destroy(service, job, console);
                return end.exitStatus(console);
            } finally {
                cancellation.over();
            }
        }
    }

    private JobState follow(Session session, JobService service, Epr job, Submission submission, Console console)
            throws CommandException, InterruptedException {
        try {
            return new JobWatch(service, session.httpTimeout(), console)
                    .toEnd(job, JobState.SUBMITTED, new Progress(console));
        } catch (IOException | SoapFaultException e) {
            throw new CommandException(
                    ExitStatus.JOB_LOST,
                    "Error querying job state: " + e.getMessage() + " The job may still run: " + job.handle()
                            + " (submission " + submission.id() + ").",
                    e);
        }
    }

    /** The job has ended and its result is known: that it could not be removed changes neither. */
    private static void destroy(JobService service, Epr job, Console console) {
        try {
            service.destroy(job);
        } catch (IOException | SoapFaultException e) {
            console.error("Error destroying job: " + e.getMessage() + " It goes at its termination time.");
        }
    }

    /** What the job wrote; that it cannot be shown does not change how the job ended. */
    private void show(Session session, JobService service, Epr job, Console console) throws InterruptedException {
        XmlElement description;
        try {
            description = service.description(job);
        } catch (IOException | SoapFaultException e) {
            console.error("Where the output is cannot be asked: " + e.getMessage());
            return;
        }
        if (description == null) {
            console.error("The service does not say where the output is.");
            return;
        }
        JobOutput output = JobOutput.of(job, description);
        JobOutputReader reader = new JobOutputReader(session, job, output, console);
        boolean isShown = showStream(reader, "stdout", output.stdout(), out, console);
        isShown = showStream(reader, "stderr", output.stderr(), errors, console) && isShown;
        try {
            if (isShown) {
                reader.remove();
            }
        } catch (IOException e) {
            console.error("The job's output files cannot be removed: " + Sentence.of(e.getMessage()));
        }
    }

    private static boolean showStream(
            JobOutputReader reader, String stream, @Nullable String file, PrintStream to, Console console)
            throws InterruptedException {
        if (file != null && !JobOutput.isOurs(file)) {
            return true; // the user named it, and wants it there
        }
        try {
            reader.copy(stream, to);
            return true;
        } catch (CommandException e) {
            console.error(String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** globus-job-submit-ws: prints the job's handle, and nothing else. */
    private int submit(Words words) throws CommandException, InterruptedException {
        Submission submission = JobRequest.of(words, clock);
        if (words.has(JobOption.DUMP)) {
            return dump(submission);
        }
        try (Session session = open(words)) {
            Console console = console("globus-job-submit-ws", true);
            Epr job = submit(submission, new JobService(session.soap()), words, console);
            out.println(job.handle());
            return ExitStatus.OK.code();
        }
    }

    private int dump(Submission submission) {
        out.println(submission.description());
        return ExitStatus.OK.code();
    }

    private static Epr submit(Submission submission, JobService service, Words words, Console console)
            throws CommandException, InterruptedException {
        try {
            Epr job = submission.send(service, console).job();
            String file = words.value(JobOption.EPR_OUTPUT);
            if (file != null) {
                EprFile.write(Path.of(file), job.toFileText());
            }
            return job;
        } catch (SoapFaultException e) {
            throw new CommandException(ExitStatus.REFUSED, "Error submitting job: " + e.getMessage(), e);
        }
    }

    /** globus-job-get-output-ws: copies the output to stdout. */
    private int getOutput(Words words) throws CommandException, InterruptedException {
        Epr job = EprFile.named(operand(words));
        Console console = console("globus-job-get-output-ws", words.has(HandleOption.QUIET));
        try (Session session = open(words)) {
            JobOutput output = output(new JobService(session.soap()), job);
            new JobOutputReader(session, job, output, console)
                    .copy(words.has(HandleOption.ERR) ? "stderr" : "stdout", out);
            return ExitStatus.OK.code();
        }
    }

    /** globus-job-clean-ws: ends the job, removes it and the output files that it was given. */
    private int clean(Words words) throws CommandException {
        Epr job = EprFile.named(operand(words));
        Console console = console("globus-job-clean-ws", words.has(HandleOption.QUIET));
        if (!words.has(HandleOption.FORCE) && !isConfirmed()) {
            throw new CommandException(ExitStatus.USAGE, "Not cleaned. With -f it does not ask.");
        }
        try (Session session = open(words)) {
            JobService service = new JobService(session.soap());
            JobOutput output = output(service, job);
            try {
                // while the job is known there: afterwards nobody may touch its files
                new JobOutputReader(session, job, output, console).remove();
                service.destroy(job);
            } catch (SoapFaultException e) {
                throw new CommandException(ExitStatus.REFUSED, "Error destroying job: " + e.getMessage(), e);
            } catch (IOException e) {
                throw CommandException.ofContact("Error cleaning: ", e);
            }
            console.line("Cleanup successful.");
            return ExitStatus.OK.code();
        }
    }

    private boolean isConfirmed() throws CommandException {
        errors.print("Cleaning ends the job if it still runs, and removes it and its output. Clean it now (Y/N) ? ");
        errors.flush();
        try {
            byte[] answer = new byte[ANSWER_LENGTH_MAX];
            int length = in.read(answer);
            String text = length < 1 ? "" : new String(answer, 0, length, StandardCharsets.UTF_8);
            return text.strip().equalsIgnoreCase("y") || text.strip().equalsIgnoreCase("yes");
        } catch (IOException e) {
            throw new CommandException(ExitStatus.USAGE, "The answer cannot be read: " + Sentence.reason(e) + ".", e);
        }
    }

    private static JobOutput output(JobService service, Epr job) throws CommandException {
        try {
            XmlElement description = service.description(job);
            if (description == null) {
                throw new CommandException(ExitStatus.CONTACT, "The service does not say where the output is.");
            }
            return JobOutput.of(job, description);
        } catch (SoapFaultException e) {
            throw new CommandException(ExitStatus.REFUSED, "Error querying job: " + e.getMessage(), e);
        } catch (IOException e) {
            throw CommandException.ofContact("Error querying job: ", e);
        }
    }

    private static String operand(Words words) throws CommandException {
        if (words.operands().size() != 1) {
            throw Words.usage("Name one job: the handle that globus-job-submit-ws printed, or an EPR file.");
        }
        return words.operands().getFirst();
    }

    private Console console(String command, boolean isQuiet) {
        return new Console(command, errors, errors, isQuiet, Console::isAtTerminal);
    }

    private Session open(Words words) throws CommandException {
        return Session.open(ServiceOptions.wishes(words), environment, errors);
    }
}
