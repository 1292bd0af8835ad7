// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import java.time.Instant;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.lrm.LrmEvent;
import org.jspecify.annotations.Nullable;

/** Says how a job ended, in one sentence and one remedy for each way that there is. */
final class JobOutcomes {

    private static final String WALL_TIME =
            "The job ran longer than the wall time that it had asked for or that the site allows.";
    private static final String WALL_TIME_REMEDY = "Ask for a longer wall time, or divide the work.";
    private static final String MEMORY = "The job used more memory than it had asked for or than the site allows.";
    private static final String MEMORY_REMEDY = "Ask for more memory, or make the job use less.";
    private static final String NOT_STARTED = "The job could not be started.";
    private static final String NOT_STARTED_REMEDY =
            "Look at the executable and the directory of the job; the site's administrator can look at the LRM's logs.";
    private static final String NODE = "The node on which the job ran failed.";
    private static final String NODE_REMEDY =
            "Submit the job again; tell the site's administrator if it happens often.";
    private static final String PREEMPTED = "The LRM ended the job in favour of another.";
    private static final String PREEMPTED_REMEDY = "Submit the job again, or to a queue without preemption.";
    private static final String LOST = "The job is over, and nobody recorded how it ended.";
    private static final String LOST_REMEDY =
            "Look at the job's own output; the site's administrator can look at the LRM's logs.";
    private static final String BEHIND = "The job was ended in the LRM, not through this gateway.";
    private static final String BEHIND_REMEDY = "Ask the site's administrator who ended it and why.";
    private static final String BY_OWNER = "The job was cancelled by its owner.";
    private static final String BY_OWNER_REMEDY = "Submit it again where it is still wanted.";
    private static final String BY_ADMINISTRATOR = "The job was cancelled by the site's administrator";
    private static final String EXPIRED = "The job's lifetime was over at ";
    private static final String EXPIRED_REMEDY =
            "Give the job a later termination time, or extend it while the job lives.";
    private static final int SIGNAL_BASE = 128;

    private JobOutcomes() {}

    static JobOutcome cancelledByOwner() {
        return JobOutcome.cancelled(Fault.of(FaultCode.CANCELLED_BY_USER, BY_OWNER, BY_OWNER_REMEDY));
    }

    static JobOutcome cancelledByAdministrator(String reason) {
        String sentence = reason.isEmpty() ? BY_ADMINISTRATOR + "." : BY_ADMINISTRATOR + ": " + reason;
        return JobOutcome.cancelled(Fault.of(FaultCode.CANCELLED_BY_ADMINISTRATOR, sentence, "Ask the administrator."));
    }

    static JobOutcome expired(Instant at) {
        return JobOutcome.cancelled(Fault.of(FaultCode.LIFETIME_EXPIRED, EXPIRED + at + ".", EXPIRED_REMEDY));
    }

    static JobOutcome failed(Fault fault, JobState during) {
        return JobOutcome.failed(fault.during() == null ? fault.during(during) : fault);
    }

    /**
     * The outcome that the LRM's record tells.
     *
     * @param settled what was settled before, e.g. by a cancel: it gives the reason where the LRM says no more than "cancelled"
     */
    static JobOutcome of(LrmEvent.End end, @Nullable JobOutcome settled, JobState during) {
        return outcome(end, settled, during).withUse(end.used());
    }

    private static JobOutcome outcome(LrmEvent.End end, @Nullable JobOutcome settled, JobState during) {
        return switch (end.cause()) {
            case EXITED -> JobOutcome.done(end.exitCode() == null ? 0 : end.exitCode(), end.wallTime());
            case SIGNALLED -> signalled(end, during);
            case NOT_STARTED -> because(end, FaultCode.EXECUTION_FAILED, NOT_STARTED, NOT_STARTED_REMEDY, during);
            case WALL_TIME ->
                because(
                        end,
                        FaultCode.WALL_TIME_EXCEEDED,
                        WALL_TIME,
                        WALL_TIME_REMEDY,
                        DescriptionPart.MAX_WALL_TIME,
                        during);
            case MEMORY ->
                because(end, FaultCode.MEMORY_EXCEEDED, MEMORY, MEMORY_REMEDY, DescriptionPart.MAX_MEMORY, during);
            case NODE_FAILED -> because(end, FaultCode.NODE_FAILED, NODE, NODE_REMEDY, during);
            case PREEMPTED -> because(end, FaultCode.PREEMPTED, PREEMPTED, PREEMPTED_REMEDY, during);
            case LOST -> because(end, FaultCode.LOST, LOST, LOST_REMEDY, during);
            case CANCELLED -> cancelled(end, settled, during);
        };
    }

    private static JobOutcome cancelled(LrmEvent.End end, @Nullable JobOutcome settled, JobState during) {
        Fault fault = settled != null && settled.fault() != null
                ? settled.fault()
                : Fault.of(FaultCode.CANCELLED_BY_ADMINISTRATOR, BEHIND, BEHIND_REMEDY);
        JobState outcome = settled == null ? JobState.CANCELLED : settled.outcome();
        return new JobOutcome(outcome, end.exitCode(), end.signal(), end.wallTime(), complete(fault, end, during));
    }

    private static JobOutcome signalled(LrmEvent.End end, JobState during) {
        int signal = end.signal() == null ? 0 : end.signal();
        String sentence = "The job was killed by signal " + signal + signalName(signal) + ".";
        Fault fault = Fault.of(
                FaultCode.KILLED_BY_SIGNAL,
                sentence,
                "Look for the cause in the job's own output; nothing in the gateway sent the signal.");
        return new JobOutcome(
                JobState.FAILED, SIGNAL_BASE + signal, signal, end.wallTime(), complete(fault, end, during));
    }

    private static JobOutcome because(
            LrmEvent.End end, FaultCode code, String sentence, String remedy, JobState during) {
        Fault fault = end.fault() != null ? end.fault() : Fault.of(code, sentence, remedy);
        return because(end, fault, during);
    }

    private static JobOutcome because(LrmEvent.End end, Fault fault, JobState during) {
        return new JobOutcome(
                JobState.FAILED, end.exitCode(), end.signal(), end.wallTime(), complete(fault, end, during));
    }

    private static JobOutcome because(
            LrmEvent.End end, FaultCode code, String sentence, String remedy, DescriptionPart part, JobState during) {
        Fault fault = end.fault() != null
                ? end.fault()
                : Fault.of(code, sentence, remedy).at(part);
        return because(end, fault, during);
    }

    private static Fault complete(Fault fault, LrmEvent.End end, JobState during) {
        Fault placed = fault.during() == null ? fault.during(during) : fault;
        return placed.evidence() == null && end.evidence() != null ? placed.with(end.evidence()) : placed;
    }

    private static String signalName(int signal) {
        return switch (signal) {
            case 1 -> " (HUP)";
            case 2 -> " (INT)";
            case 3 -> " (QUIT)";
            case 4 -> " (ILL)";
            case 6 -> " (ABRT)";
            case 7 -> " (BUS)";
            case 8 -> " (FPE)";
            case 9 -> " (KILL)";
            case 10 -> " (USR1)";
            case 11 -> " (SEGV)";
            case 12 -> " (USR2)";
            case 13 -> " (PIPE)";
            case 14 -> " (ALRM)";
            case 15 -> " (TERM)";
            case 24 -> " (XCPU)";
            case 25 -> " (XFSZ)";
            default -> "";
        };
    }
}
