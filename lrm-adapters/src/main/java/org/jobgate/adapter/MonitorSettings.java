// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one LRM is looked at.
 *
 * @param queueInterval between two questions for its queues; zero: they are never asked for
 * @param refusesImpossible whether jobs are refused at once that it cannot run by its own word
 * @param segCommand a scheduler event generator of the site's that tells what becomes of the jobs in place of the adapter's own watch:
 *     program and arguments; empty where there is none
 * @param segLog the file to which what becomes of the jobs is written in the lines of a scheduler event generator; absent: nowhere
 */
public record MonitorSettings(
        Duration queueInterval,
        boolean refusesImpossible,
        List<String> segCommand,
        @Nullable Path segLog) {

    /** Nothing is asked, nothing is plugged in. */
    public static final MonitorSettings NONE = new MonitorSettings(Duration.ZERO, true, List.of(), null);

    public MonitorSettings {
        requireNonNull(queueInterval, "queueInterval is null");
        segCommand = List.copyOf(segCommand);
    }
}
