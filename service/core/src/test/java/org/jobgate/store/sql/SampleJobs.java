// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.Job;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobEvent;
import org.jobgate.job.JobId;
import org.jobgate.job.JobOutcome;
import org.jobgate.job.JobState;
import org.jobgate.job.JobType;
import org.jobgate.job.Owner;
import org.jobgate.job.SubmissionKey;
import org.jobgate.job.Transfer;
import org.jobgate.job.TransferList;
import org.jobgate.store.JobUpdate;
import org.jobgate.store.NewJob;
import org.jobgate.store.Step;

/** Jobs for tests of stores. Ids of jobs made one after the other sort in that order. */
public final class SampleJobs {

    public static final String ALICE = "/O=Grid/CN=Alice";
    public static final String BOB = "/O=Grid/CN=Bob Bücher";

    /** Two parts of every JobId come from here: its time rises by a millisecond per job, so that ids rise too. */
    private final Clock clock = new RisingClock(Instant.parse("2026-11-20T10:00:00Z"));

    private final Random random;

    public SampleJobs(long seed) {
        this.random = new Random(seed);
    }

    public Job job(String subject, String clientId, String lrm, String account) {
        return Job.create(
                JobId.create(clock, random),
                new SubmissionKey(subject, "test", clientId),
                "trial",
                new Owner(subject, account),
                lrm,
                null,
                clock.instant(),
                null);
    }

    public NewJob newJob(String subject, String clientId) {
        return newJob(job(subject, clientId, "Fork", "alice"));
    }

    public static NewJob newJob(Job job) {
        return new NewJob(job, JobDescription.of("/bin/echo", "hello"), List.of());
    }

    /** A description with every part set, and texts that are hard to keep. */
    public static JobDescription fullDescription() {
        return JobDescription.builder("/bin/sh")
                .directory("/tmp/with space")
                .arguments(List.of("", " ", "a\"b'c$d`e\\f", "line\nline\ttab\r", "żółć 日本 \uD83D\uDE00", "--"))
                .environment(
                        List.of(new EnvironmentVariable("PATH", "/bin:/usr/bin"), new EnvironmentVariable("EMPTY", "")))
                .stdin("/dev/null")
                .stdout("out")
                .stderr("err")
                .count(3)
                .hostCount(2)
                .jobType(JobType.MPI)
                .libraryPath(List.of("/opt/lib"))
                .queue("short")
                .project("p1")
                .maxTime(Duration.ofMinutes(90))
                .maxWallTime(Duration.ofSeconds(61))
                .maxCpuTime(Duration.ofMillis(1500))
                .maxMemoryMiB(2048L)
                .minMemoryMiB(0L)
                .holdAt(JobState.PENDING)
                .transfers(new TransferList(
                        List.of(new Transfer("gsiftp://a/b", "file:///c")),
                        List.of(new Transfer("file:///d", "https://e/f")),
                        List.of("file:///g")))
                .extensions(List.of(new Extension(
                        "resources",
                        java.util.Map.of("z", "1", "a", "2", "m", "3"),
                        "",
                        List.of(new Extension("inner", java.util.Map.of(), "text", List.of())))))
                .build();
    }

    /** The events of a job that runs and ends well. */
    public static final List<JobEvent> WAY_TO_DONE =
            List.of(JobEvent.LRM_ACCEPTED, JobEvent.LRM_STARTED, JobEvent.CLEAN_UP_STARTED, JobEvent.COMPLETED);

    /** An update that takes the job one event on; whether the event fits is not looked at. */
    public static JobUpdate event(JobEvent event, JobState to, Instant at) {
        return job -> List.of(Step.of(event, moved(job, to, at)));
    }

    public static Job moved(Job job, JobState to, Instant at) {
        Job moved = job.withState(to).withChanged(at);
        return to.isTerminal() ? moved.withEnded(at).withOutcome(outcome(to)) : moved;
    }

    private static JobOutcome outcome(JobState state) {
        var fault =
                org.jobgate.job.Fault.of(org.jobgate.job.FaultCode.EXECUTION_FAILED, "It failed on \"x\".", "Mend x.");
        return switch (state) {
            case DONE -> JobOutcome.done(3, Duration.ofMillis(1234));
            case FAILED -> JobOutcome.failed(fault);
            default -> JobOutcome.cancelled(fault);
        };
    }

    /** All of its way to the end in one update. */
    public static JobUpdate finish(Instant at) {
        return job -> List.of(
                Step.of(JobEvent.CLEAN_UP_STARTED, moved(job, JobState.CLEAN_UP, at)),
                Step.of(JobEvent.COMPLETED, moved(moved(job, JobState.CLEAN_UP, at), JobState.DONE, at)));
    }
}
