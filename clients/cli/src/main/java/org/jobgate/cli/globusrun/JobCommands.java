// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jobgate.cli.command.CommandException;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.ExitStatus;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;

/** {@code -status}, {@code -kill} and {@code -release}: one word about one job. */
final class JobCommands {
    private final JobService service;
    private final Console console;

    JobCommands(JobService service, Console console) {
        this.service = requireNonNull(service, "service is null");
        this.console = requireNonNull(console, "console is null");
    }

    /** One exchange with the service. */
    @FunctionalInterface
    private interface Call {
        void make() throws IOException, SoapFaultException;
    }

    void status(Epr job) throws CommandException {
        attempt("Error querying job state", () -> {
            JobState state = service.state(job);
            String reason = state.isTerminal() ? "" : service.reason(job);
            console.line(state.line());
            if (!reason.isEmpty()) {
                console.note(JobState.because(reason));
            }
        });
    }

    void release(Epr job) throws CommandException {
        step("Releasing job...", "Error releasing job", () -> service.release(job));
    }

    void kill(Epr job) throws CommandException {
        step("Requesting original job description...", "Error querying job", () -> service.description(job));
        step("Destroying job...", "Error destroying job", () -> service.destroy(job));
    }

    private void step(String begin, String failure, Call call) throws CommandException {
        console.begin(begin);
        attempt(failure, () -> {
            try {
                call.make();
                console.finish("Done.");
            } catch (IOException | SoapFaultException e) {
                console.finish("Failed.");
                throw e;
            }
        });
    }

    private static void attempt(String failure, Call call) throws CommandException {
        try {
            call.make();
        } catch (SoapFaultException e) {
            throw new CommandException(ExitStatus.REFUSED, failure + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw CommandException.ofContact(failure + ": ", e);
        }
    }
}
