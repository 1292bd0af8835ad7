// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.command;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jobgate.cli.text.Sentence;

/** The command ends here: with this sentence on stderr and this status. */
public final class CommandException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ExitStatus status;

    public CommandException(ExitStatus status, String message) {
        super(message);
        this.status = requireNonNull(status, "status is null");
    }

    public CommandException(ExitStatus status, String message, Throwable cause) {
        super(message, cause);
        this.status = requireNonNull(status, "status is null");
    }

    /**
     * A service could not be asked, or refused before it looked at the request.
     *
     * @param before what was tried, with a colon and a blank behind it; may be empty
     */
    public static CommandException ofContact(String before, IOException e) {
        return new CommandException(ExitStatus.of(e), before + Sentence.of(e.getMessage()), e);
    }

    public ExitStatus status() {
        return status;
    }
}
