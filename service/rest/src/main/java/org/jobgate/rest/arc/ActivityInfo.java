// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.arc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.CredentialUse;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jspecify.annotations.Nullable;

/** A job as a ComputingActivity of GLUE 2 (GFD.147 section 6.9), with the words that A-REX puts into it. */
final class ActivityInfo {

    static final String GLUE = "http://schemas.ogf.org/glue/2009/03/spec_2.0_r1";

    /** With these a job has failed, and its program has run to its end. */
    private static final Set<FaultCode> AFTER_ITS_END =
            EnumSet.of(FaultCode.KILLED_BY_SIGNAL, FaultCode.STAGING_FAILED);

    private final String host;
    private final Shares shares;
    private final Clock clock;

    /** @param host by which clients know this gateway */
    ActivityInfo(String host, Shares shares, Clock clock) {
        this.host = requireNonNull(host, "host is null");
        this.shares = requireNonNull(shares, "shares is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    Element of(Job job, JobDescription description, Session session) {
        return of(job, description, session, state(job, session));
    }

    /** @param state what is said of it */
    Element of(Job job, JobDescription description, Session session, ArcState state) {
        String id = session.first() == null ? job.id().toString() : session.first();
        String share = shares.nameOf(job.lrm(), description.queue());
        Element.Builder activity = new Element.Builder("ComputingActivity")
                .attribute("xmlns", GLUE)
                .attribute("BaseType", "Activity")
                .attribute(
                        "CreationTime",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                .attribute("Validity", "60")
                .leaf("ID", "urn:caid:" + host + ":org.nordugrid.arcrest:" + id)
                .leaf("Name", session.name())
                .leaf("OtherInfo", "SubmittedVia=org.nordugrid.arcrest")
                .leaf("Type", "single")
                .leaf("IDFromEndpoint", "urn:idfe:" + id)
                .leaf(
                        "LocalIDFromManager",
                        job.localIds().isEmpty() ? null : job.localIds().getFirst())
                .leaf("JobDescription", job.language().equals("xrsl") ? "nordugrid:xrsl" : "emies:adl")
                .leaf("State", "nordugrid:" + state.internal())
                .leaf("State", "jobgate:" + job.state().name().toLowerCase(java.util.Locale.ROOT))
                .leaf("State", "arcrest:" + state.rest());
        if (Uploads.isAwaited(job) && session.awaitsClient()) {
            activity.leaf("State", "emiesattr:client-stagein-possible");
        }
        exitCode(job).ifPresent(code -> activity.leaf("ExitCode", code));
        error(job, session).ifPresent(error -> activity.leaf("Error", error));
        activity.leaf("Owner", job.owner().subject())
                .leaf("LocalOwner", job.owner().account())
                .leaf(
                        "RequestedTotalWallTime",
                        seconds(description.wallTimeLimit().orElse(null)))
                .leaf("RequestedTotalCPUTime", seconds(description.maxCpuTime()))
                .leaf("RequestedSlots", slots(description))
                .leaf("StdIn", orNull(description.stdin()))
                .leaf("StdOut", orNull(description.stdout()))
                .leaf("StdErr", orNull(description.stderr()))
                .leaf("Queue", share)
                .leaf("UsedTotalWallTime", seconds(used(job)))
                .leaf("SubmissionTime", text(job.created()))
                .leaf("StartTime", text(job.started()))
                .leaf("ComputingManagerEndTime", text(job.ended()))
                .leaf("EndTime", text(job.ended()));
        if (job.pendingReason() != null && !job.state().isTerminal()) {
            activity.leaf("OtherMessages", job.pendingReason().because());
        }
        session.notes().forEach(note -> activity.leaf("OtherMessages", note));
        return activity.add(new Element.Builder("Associations")
                        .leaf("ComputingShareID", Shares.id(host, share))
                        .build())
                .build();
    }

    /** As {@link ArcState#of}, with what the door knows of the job besides. */
    static ArcState state(Job job, Session session) {
        if (session.late() != null && job.state() == JobState.CANCELLED) {
            return new ArcState("FAILED", "FAILED::PREPARING");
        }
        Integer wanted = session.successCode();
        if (wanted != null
                && job.state() == JobState.DONE
                && exitCode(job).filter(wanted::equals).isPresent()) {
            return new ArcState("FINISHED", "FINISHED");
        }
        return ArcState.of(job);
    }

    /** Of a job that is over and whose program has run to its end: HTCondor takes a job that has one for done. */
    static Optional<Integer> exitCode(Job job) {
        return job.state().isTerminal()
                ? job.settledOutcome().filter(ActivityInfo::isOwnEnd).map(JobOutcome::exitCode)
                : Optional.empty();
    }

    /** An LRM may have an exit code, and mostly 0, of a job as well that was cancelled or that it broke off. */
    private static boolean isOwnEnd(JobOutcome outcome) {
        Fault fault = outcome.fault();
        return outcome.outcome() == JobState.DONE
                || (outcome.outcome() == JobState.FAILED && fault != null && AFTER_ITS_END.contains(fault.code()));
    }

    /** Why the job has not done what it should: all of it, for HTCondor shows its user nothing else. */
    static Optional<String> error(Job job, Session session) {
        if (!job.state().isTerminal()) {
            return Optional.empty();
        }
        if (session.late() != null) {
            return Optional.of(session.late());
        }
        JobOutcome outcome = job.settledOutcome().orElse(null);
        if (outcome == null) {
            return Optional.empty();
        }
        Fault fault = outcome.fault();
        if (fault != null) {
            return Optional.of((fault.sentence() + " " + fault.remedy()).strip());
        }
        if (!state(job, session).rest().equals("FAILED")) {
            return Optional.empty();
        }
        return Optional.of("The program ended with the exit code " + outcome.exitCode()
                + (outcome.signal() == null ? "." : ", by signal " + outcome.signal() + "."));
    }

    private static int slots(JobDescription description) {
        Integer slots =
                description.resources() == null ? null : description.resources().slots();
        return slots == null ? description.count() : slots;
    }

    private static @Nullable Duration used(Job job) {
        Duration told = job.settledOutcome().map(JobOutcome::wallTime).orElse(null);
        Instant started = job.started();
        Instant ended = job.ended();
        if (told != null || started == null || ended == null) {
            return told;
        }
        return Duration.between(started, ended);
    }

    private static String orNull(@Nullable String file) {
        return file == null ? "/dev/null" : file;
    }

    private static @Nullable Long seconds(@Nullable Duration time) {
        return time == null ? null : time.toSeconds();
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The key of the delegated credential that a job's files are moved with. */
    static Optional<String> delegation(JobDescription description) {
        return description
                .credential(CredentialUse.FILES)
                .or(() -> description.credential(CredentialUse.JOB))
                .map(named -> named.key());
    }
}
