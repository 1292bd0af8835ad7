// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jobgate.job.After;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.OnlyTransfers;
import org.jobgate.job.PendingReason;
import org.jobgate.job.SubJob;
import org.jspecify.annotations.Nullable;

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

    /** Those of other submissions that some of them wait for, as far as they are on record. */
    private final Map<JobId, Job> earlier;

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

    /**
     * @param jobs all jobs of the flow, by rank
     * @param earlier jobs of other submissions that some of them wait for
     */
    Flow(JobDescription description, List<Job> jobs, Map<JobId, Job> earlier) {
        this.parts = description.subJobs();
        this.jobs = jobs;
        this.earlier = earlier;
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
        boolean isWithin =
                part.after().stream().allMatch(after -> after.earlier().isEmpty());
        return "it waits for other jobs" + (isWithin ? " of its flow" : "") + ": "
                + part.after().stream().map(After::said).collect(Collectors.joining(", "));
    }

    /** Decides for each job that waits; one that is left out may decide for those that wait for it. */
    private void decide() {
        boolean isNews = true;
        while (isNews) {
            isNews = false;
            for (int rank = 0; rank < jobs.size(); rank++) {
                Job job = jobs.get(rank);
                boolean isOpen = job.waitsForOthers() && job.outcome() == null && !turns.containsKey(job.id());
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
        if (!job.waitsForOthers() || job.outcome() != null) {
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
    static boolean cancel(Transitions change, JobOutcome outcome) {
        if (!change.job().waitsForOthers() || change.job().outcome() != null) {
            return false;
        }
        OwnerOrders.cancel(change, outcome, "its multi-job is ended");
        change.wrapUp(JobFiles.Leftovers.NONE);
        return true;
    }

    private Turn turn(int rank) {
        Turn turn = Turn.BEGINS;
        for (After after : parts.get(rank).after()) {
            Job other = other(after);
            if (!isOver(other)) {
                turn = Turn.WAITS;
            } else if (!Ends.isMet(after.when(), other)) {
                return Turn.NEVER;
            }
        }
        return turn;
    }

    private @Nullable Job other(After after) {
        Integer rank = ranks.get(after.job());
        return rank != null ? jobs.get(rank) : after.earlier().map(earlier::get).orElse(null);
    }

    private boolean isOver(@Nullable Job job) {
        return job == null || job.state().isTerminal() || turns.get(job.id()) == Turn.NEVER;
    }

    /** Whether the job was left out, because of how another one ended. */
    private boolean isLeftOut(int rank) {
        return jobs.get(rank).state() == JobState.CANCELLED && turn(rank) == Turn.NEVER;
    }

    /** How a job ends that can never begin. */
    private JobOutcome leftOut(int rank) {
        String because = parts.get(rank).after().stream()
                .filter(after -> isOver(other(after)) && !Ends.isMet(after.when(), other(after)))
                .map(after -> Ends.unmet(after, other(after)))
                .findFirst()
                .orElse("what it waits for cannot come");
        return Ends.leftOut(" of its flow", because, "the flow");
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
        if (isOver && flow.outcome() == null) {
            settle(change);
        }
        if (change.job().outcome() != null) {
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
                                .withOutcome(MultiJobState.failed(
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
