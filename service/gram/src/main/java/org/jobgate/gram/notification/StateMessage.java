// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.notification;

import static java.util.Objects.requireNonNull;

import java.util.Objects;
import java.util.Optional;
import org.jobgate.gram.fault.GramFaults;
import org.jobgate.gram.fault.StateNames;
import org.jobgate.gt4.Generation;
import org.jobgate.job.Job;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.xml.XmlWriter;

/** Writes the {@code stateChangeNotificationMessage}, the content of a job's one topic. */
public final class StateMessage {

    private final Generation generation;
    private final GramFaults faults;

    public StateMessage(Generation generation, GramFaults faults) {
        this.generation = requireNonNull(generation, "generation is null");
        this.faults = requireNonNull(faults, "faults is null");
    }

    /**
     * Writes it.
     *
     * @param job as it is now, for its fault and exit code; absent if it is gone already
     */
    public void write(XmlWriter out, JobState state, boolean isHolding, Optional<Job> job) {
        out.open(generation.job("stateChangeNotificationMessage")).binding(generation.types("state"));
        String name =
                job.map(present -> StateNames.of(state, present, generation)).orElseGet(() -> StateNames.of(state));
        out.element(generation.types("state"), name);
        if (state.isTerminal()) {
            job.ifPresent(ended -> faults.writeProperty(out, ended));
        }
        // the schema demands an exit code, whether there is one or not
        Integer exitCode =
                job.flatMap(Job::settledOutcome).map(JobOutcome::exitCode).orElse(null);
        out.element(generation.types("exitCode"), Integer.toString(Objects.requireNonNullElse(exitCode, 0)));
        out.element(generation.types("holding"), Boolean.toString(isHolding));
        out.close();
    }
}
