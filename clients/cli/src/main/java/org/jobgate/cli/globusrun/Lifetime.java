// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Instant;
import org.jobgate.cli.command.CommandException;
import org.jspecify.annotations.Nullable;

/**
 * When a job is to be ended and forgotten.
 *
 * @param isAskedFor whether the user said so; a service of GT 4.2 is not bothered with our default
 */
record Lifetime(Instant end, boolean isAskedFor) {
    private static final String DEFAULT = "+24:00";

    Lifetime {
        requireNonNull(end, "end is null");
    }

    /**
     * As {@code -termination} says.
     *
     * @param text null: 24 hours, as GT 4.0's client has it
     * @throws CommandException it is no time
     */
    static Lifetime of(@Nullable String text, Clock clock) throws CommandException {
        return new Lifetime(XmlTime.termination(text == null ? DEFAULT : text, clock.instant()), text != null);
    }
}
