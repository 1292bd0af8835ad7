// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.tls.HttpsClient;
import org.jobgate.cli.wire.Epr;
import org.jspecify.annotations.Nullable;

/**
 * Reads and removes what a job wrote: through the gateway, from wherever the command runs. At a service that gives no access to files
 * (GT4) it reads the files of this machine that have the names, if they are ours.
 */
final class JobOutputReader {
    private final Session session;
    private final Epr job;
    private final JobOutput output;
    private final Console console;

    JobOutputReader(Session session, Epr job, JobOutput output, Console console) {
        this.session = requireNonNull(session, "session is null");
        this.job = requireNonNull(job, "job is null");
        this.output = requireNonNull(output, "output is null");
        this.console = requireNonNull(console, "console is null");
    }

    /**
     * Copies the bytes that the job has written to a stream until now; none if it has not written any.
     *
     * @param stream stdout or stderr
     * @throws CommandException it cannot be shown, and why
     */
    void copy(String stream, PrintStream to) throws CommandException, InterruptedException {
        String file = file(stream);
        if (file == null) {
            throw new CommandException(
                    ExitStatus.CONTACT, "The job keeps no " + stream + ": its description names no file.");
        }
        try (HttpsClient http = session.http().another()) {
            OutputAccess access = new OutputAccess(http, job, stream, session.trace());
            switch (new OutputFollower(access, stream, to, console, Duration.ZERO, () -> false).follow()) {
                case WHOLE, MISSING -> to.flush();
                case NO_ACCESS -> JobOutput.copy(output.host(), file, to);
                case FAILED -> throw new CommandException(ExitStatus.CONTACT, "The output is in " + file + " there.");
            }
        }
    }

    /** Removes the files that we named. */
    void remove() throws IOException {
        try (HttpsClient http = session.http().another()) {
            for (String stream : new String[] {"stdout", "stderr"}) {
                if (JobOutput.isOurs(file(stream))) {
                    new OutputAccess(http, job, stream, session.trace()).remove();
                }
            }
        }
        output.remove();
    }

    private @Nullable String file(String stream) {
        return stream.equals("stdout") ? output.stdout() : output.stderr();
    }
}
