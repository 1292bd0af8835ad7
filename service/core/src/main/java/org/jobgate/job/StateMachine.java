// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Map.entry;
import static org.jobgate.job.JobEvent.CLEAN_UP_STARTED;
import static org.jobgate.job.JobEvent.COMPLETED;
import static org.jobgate.job.JobEvent.INPUT_READY;
import static org.jobgate.job.JobEvent.LRM_ACCEPTED;
import static org.jobgate.job.JobEvent.LRM_REQUEUED;
import static org.jobgate.job.JobEvent.LRM_STARTED;
import static org.jobgate.job.JobEvent.LRM_SUSPENDED;
import static org.jobgate.job.JobEvent.PENDING_HELD;
import static org.jobgate.job.JobEvent.STAGE_IN_STARTED;
import static org.jobgate.job.JobEvent.STAGE_OUT_STARTED;
import static org.jobgate.job.JobState.ACTIVE;
import static org.jobgate.job.JobState.CLEAN_UP;
import static org.jobgate.job.JobState.DONE;
import static org.jobgate.job.JobState.PENDING;
import static org.jobgate.job.JobState.STAGE_IN;
import static org.jobgate.job.JobState.STAGE_OUT;
import static org.jobgate.job.JobState.SUSPENDED;
import static org.jobgate.job.JobState.UNSUBMITTED;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The one state machine of a job: one table and one function over it. Everything that happens to a job is one row of this table.
 *
 * <p>A job that fails or is cancelled takes the same way as one that succeeds: its outcome is recorded, then it is cleaned up, then
 * it reaches the terminal state that the recorded outcome asks for. An event that has no row for the job's state changes nothing: LRM
 * records are replayed after a restart and may come late.
 */
public final class StateMachine {

    private static final Map<JobState, Map<JobEvent, JobState>> TABLE = table();

    private StateMachine() {}

    private static Map<JobState, Map<JobEvent, JobState>> table() {
        Map<JobState, Map<JobEvent, JobState>> table = new EnumMap<>(JobState.class);
        table.put(
                UNSUBMITTED,
                Map.ofEntries(
                        entry(STAGE_IN_STARTED, STAGE_IN),
                        entry(PENDING_HELD, PENDING),
                        entry(LRM_ACCEPTED, PENDING),
                        entry(CLEAN_UP_STARTED, CLEAN_UP)));
        table.put(
                STAGE_IN,
                Map.ofEntries(
                        entry(INPUT_READY, STAGE_IN),
                        entry(PENDING_HELD, PENDING),
                        entry(LRM_ACCEPTED, PENDING),
                        entry(CLEAN_UP_STARTED, CLEAN_UP)));
        table.put(
                PENDING,
                Map.ofEntries(
                        entry(LRM_ACCEPTED, PENDING),
                        entry(LRM_STARTED, ACTIVE),
                        entry(LRM_SUSPENDED, SUSPENDED),
                        entry(STAGE_OUT_STARTED, STAGE_OUT),
                        entry(CLEAN_UP_STARTED, CLEAN_UP)));
        table.put(
                ACTIVE,
                Map.ofEntries(
                        entry(LRM_SUSPENDED, SUSPENDED),
                        entry(LRM_REQUEUED, PENDING),
                        entry(STAGE_OUT_STARTED, STAGE_OUT),
                        entry(CLEAN_UP_STARTED, CLEAN_UP)));
        table.put(
                SUSPENDED,
                Map.ofEntries(
                        entry(LRM_STARTED, ACTIVE),
                        entry(LRM_REQUEUED, PENDING),
                        entry(STAGE_OUT_STARTED, STAGE_OUT),
                        entry(CLEAN_UP_STARTED, CLEAN_UP)));
        table.put(STAGE_OUT, Map.of(CLEAN_UP_STARTED, CLEAN_UP));
        table.put(
                CLEAN_UP,
                Map.of(COMPLETED, DONE, JobEvent.FAILED, JobState.FAILED, JobEvent.CANCELLED, JobState.CANCELLED));
        for (JobState state : JobState.values()) {
            table.putIfAbsent(state, Map.of());
        }
        return table;
    }

    /** The state that the event leads to, or empty where the event means nothing in that state. */
    public static Optional<JobState> next(JobState state, JobEvent event) {
        return Optional.ofNullable(TABLE.getOrDefault(state, Map.of()).get(event));
    }
}
