// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.job.After;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.PendingReason;
import org.jobgate.job.SubJob;

/**
 * A flow: a multi-job whose jobs wait for one another. All of them are stored when it begins; those that wait are held before their first
 * state until what they wait for is over. What is next follows from how the jobs stand, so the service's own end changes nothing.
 *
 * <p>Other than a multi-job it goes on when one of its jobs fails, for another may wait just for that. It is over when all its jobs are.
 */
final class Flow {

    private final List<SubJob> parts;

    /** By rank: all that there are to be. */
    private final List<Job> jobs;

    private final Map<String, Integer> ranks = new HashMap<>();
    private final Map<JobId, Integer> ranksById = new HashMap<>();
    private final Map<JobId, Turn> turns = new LinkedHashMap<>();

    /** What is to be done with a job of the flow that has not begun. */
    private enum Turn {
        /** Something that it waits for is not over. */
        WAITS,
        /** All that it waits for has ended as it should. */
        BEGINS,
        /** Something that it waits for has ended otherwise: it is left out. */
        NEVER
    }

    /** @param jobs all jobs of the flow, by rank */
    Flow(JobDescription description, List<Job> jobs) {
        this.parts = description.subJobs();
        this.jobs = jobs;
        for (int rank = 0; rank < parts.size(); rank++) {
            String name = parts.get(rank).name();
            if (name != null) {
                ranks.put(name, rank);
            }
            ranksById.put(jobs.get(rank).id(), rank);
        }
        decide();
    }

    /** The job as it is first stored: held where it waits for others, and its owner is told for which. */
    static Job first(Job job, SubJob part, Instant now) {
        return part.after().isEmpty()
                ? job
                : job.withHolding(true).withPendingReason(new PendingReason(now, waitsFor(part)));
    }

    private static String waitsFor(SubJob part) {
        return "it waits for other jobs of its flow: "
                + part.after().stream().map(Flow::said).collect(Collectors.joining(", "));
    }

    private static String said(After after) {
        return switch (after.when()) {
            case OK -> after.job() + " is to end well";
            case FAILED -> after.job() + " is to fail";
            case ANY -> after.job() + " is to be over";
        };
    }

    /** Decides for each job that waits; one that is left out may decide for those that wait for it. */
    private void decide() {
        boolean isNews = true;
        while (isNews) {
            isNews = false;
            for (int rank = 0; rank < jobs.size(); rank++) {
                Job job = jobs.get(rank);
                boolean isOpen = After.keeps(job) && job.ending() == null && !turns.containsKey(job.id());
                Turn turn = isOpen ? turn(rank) : Turn.WAITS;
                if (turn != Turn.WAITS) {
                    turns.put(job.id(), turn);
                    isNews |= turn == Turn.NEVER;
                }
            }
        }
    }

    /** The jobs for which it is decided now that they begin, or that they never do. */
    Set<JobId> decided() {
        return turns.keySet();
    }

    /** Lets the job begin, or ends it, as it is decided. Answers whether it is still one that waits. */
    boolean apply(Transitions change) {
        Job job = change.job();
        if (!After.keeps(job) || job.ending() != null) {
            return false;
        }
        if (turns.get(job.id()) == Turn.BEGINS) {
            change.note(
                    job.withHolding(false).withPendingReason(null), "the jobs of its flow that it waited for are over");
        } else {
            change.settle(leftOut(ranksById.getOrDefault(job.id(), -1)));
            change.wrapUp(JobFiles.Leftovers.NONE); // it has not begun, so it has left nothing anywhere
        }
        return true;
    }

    /** Ends a job that still waits, as its flow is ended. Answers whether it is such a one. */
    static boolean cancel(Transitions change, JobOutcome ending) {
        if (!After.keeps(change.job()) || change.job().ending() != null) {
            return false;
        }
        OwnerOrders.cancel(change, ending, "its multi-job is ended");
        change.wrapUp(JobFiles.Leftovers.NONE);
        return true;
    }

    private Turn turn(int rank) {
        Turn turn = Turn.BEGINS;
        for (After after : parts.get(rank).after()) {
            Job other = other(after);
            if (!isOver(other)) {
                turn = Turn.WAITS;
            } else if (!isMet(after.when(), other)) {
                return Turn.NEVER;
            }
        }
        return turn;
    }

    private Job other(After after) {
        return jobs.get(Objects.requireNonNull(ranks.get(after.job()), "a name was not checked"));
    }

    private boolean isOver(Job job) {
        return job.state().isTerminal() || turns.get(job.id()) == Turn.NEVER;
    }

    private static boolean isMet(After.When when, Job over) {
        return switch (when) {
            case OK -> isOk(over);
            case FAILED -> !isOk(over);
            case ANY -> true;
        };
    }

    private static boolean isOk(Job over) {
        Integer exitCode = over.settledEnding().map(JobOutcome::exitCode).orElse(null);
        return over.state() == JobState.DONE && (exitCode == null || exitCode == 0);
    }

    /** Whether the job was left out, because of how another one ended. */
    private boolean isLeftOut(int rank) {
        return jobs.get(rank).state() == JobState.CANCELLED && turn(rank) == Turn.NEVER;
    }

    /** How a job ends that can never begin. */
    private JobOutcome leftOut(int rank) {
        String because = parts.get(rank).after().stream()
                .filter(after -> isOver(other(after)) && !isMet(after.when(), other(after)))
                .map(after -> said(after) + ", and it " + (after.when() == After.When.OK ? "did not" : "ended well"))
                .findFirst()
                .orElse("what it waits for cannot come");
        return JobOutcome.cancelled(Fault.of(
                FaultCode.CANCELLED_BY_USER,
                "The job was left out of its flow: " + because + ".",
                "Look at the other job, and submit the flow again where this one is still wanted."));
    }

    private boolean hasBegun(Job job) {
        boolean moves = OnlyTransfers.is(job) && job.state() == JobState.STAGE_IN;
        return moves || job.started() != null || job.state().isTerminal();
    }

    /** Brings the multi-job to where its jobs are. */
    void reflect(Transitions change) {
        Job flow = change.job();
        if (flow.state().isTerminal()) {
            return;
        }
        boolean isOver = jobs.stream().allMatch(job -> job.state().isTerminal());
        if (isOver && flow.ending() == null) {
            settle(change);
        }
        if (change.job().ending() != null) {
            if (isOver) {
                change.wrapUp(JobFiles.Leftovers.NONE);
                if (change.job().state() == JobState.CLEAN_UP) {
                    change.end(null);
                }
            }
        } else if (jobs.stream().anyMatch(this::hasBegun)) {
            MultiJobState.advance(change, JobState.ACTIVE);
        } else if (jobs.stream().anyMatch(job -> job.state().isInLrm())) {
            MultiJobState.advance(change, JobState.PENDING);
        }
    }

    private void settle(Transitions change) {
        for (int rank = 0; rank < jobs.size(); rank++) {
            Job job = jobs.get(rank);
            if (job.state() != JobState.DONE && !isLeftOut(rank)) {
                change.note(
                        change.job()
                                .withEnding(MultiJobState.failed(
                                        change.job(), job, "Job " + called(rank) + " of the flow, " + job.id() + ",")),
                        "one of its jobs failed");
                return;
            }
        }
        change.settle(JobOutcome.done(MultiJobState.exitCode(jobs), null));
    }

    private String called(int rank) {
        String name = parts.get(rank).name();
        return name == null ? String.valueOf(rank) : name;
    }
}
