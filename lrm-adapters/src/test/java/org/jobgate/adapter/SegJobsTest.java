// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jobgate.job.JobId;
import org.jobgate.lrm.LrmEvent;
import org.jobgate.lrm.LrmEvent.Cause;
import org.jobgate.lrm.LrmEvent.Kind;
import org.junit.jupiter.api.Test;

class SegJobsTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private final Set<JobId> cancelled = new HashSet<>();
    private final Random random = new Random(1);
    private Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    private final SegJobs jobs = new SegJobs(
            new Clock() {
                @Override
                public ZoneOffset getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(java.time.ZoneId zone) {
                    return this;
                }

                @Override
                public Instant instant() {
                    return clock.instant();
                }
            },
            cancelled::contains);

    private JobId newTag() {
        return JobId.create(clock, random);
    }

    private static SegLine line(String id, int state, int exitCode) {
        return new SegLine(NOW, id, state, exitCode);
    }

    private LrmEvent taken(SegLine line) {
        return jobs.take(line).orElseThrow();
    }

    @Test
    void aLineIsReadAndWritten() {
        SegLine line = SegLine.parse("001;1763640000;4711.head;8;3").orElseThrow();
        assertThat(line).isEqualTo(new SegLine(Instant.ofEpochSecond(1763640000), "4711.head", SegLine.DONE, 3));
        assertThat(line.text()).isEqualTo("001;1763640000;4711.head;8;3");
        assertThat(SegLine.parse("001;1;a;2;0;is=started;tag=x")).isPresent();
        for (String none : List.of("", "001", "002;1;a;2;0", "001;x;a;2;0", "001;1;;2;0", "001;1;a;3;0", "001;1;a;2")) {
            assertThat(SegLine.parse(none)).as(none).isEmpty();
        }
    }

    @Test
    void whatIsWrittenOfAnEventSaysTheSame() {
        LrmEvent.End killed = new LrmEvent.End(Cause.SIGNALLED, null, 9, null, null, null);
        LrmEvent ended = new LrmEvent(newTag(), List.of("1", "2"), Kind.ENDED, NOW, killed);
        assertThat(SegLine.of(ended)).containsExactly(line("1", SegLine.FAILED, 137), line("2", SegLine.FAILED, 137));
        LrmEvent.End exited = new LrmEvent.End(Cause.EXITED, 7, null, null, null, null);
        assertThat(SegLine.of(new LrmEvent(newTag(), List.of("3"), Kind.ENDED, NOW, exited)))
                .containsExactly(line("3", SegLine.DONE, 7));
        assertThat(SegLine.of(new LrmEvent(newTag(), List.of("a;b\n001"), Kind.REQUEUED, NOW, null)))
                .extracting(SegLine::text)
                .containsExactly("001;" + NOW.getEpochSecond() + ";a_b_001;1;0");
    }

    @Test
    void aJobIsToldByItsId() {
        JobId tag = newTag();
        assertThat(jobs.put("alice", tag, List.of("5"))).isEmpty();
        assertThat(taken(line("5", SegLine.PENDING, 0)).kind()).isEqualTo(Kind.QUEUED);
        assertThat(taken(line("5", SegLine.ACTIVE, 0)).kind()).isEqualTo(Kind.STARTED);
        assertThat(taken(line("5", SegLine.SUSPENDED, 0)).kind()).isEqualTo(Kind.SUSPENDED);
        LrmEvent ended = taken(line("5", SegLine.DONE, 3));
        assertThat(ended.tag()).isEqualTo(tag);
        assertThat(ended.end()).isEqualTo(new LrmEvent.End(Cause.EXITED, 3, null, null, null, null));
        assertThat(jobs.size()).isZero();
        assertThat(jobs.take(line("6", SegLine.DONE, 0))).isEmpty();
    }

    @Test
    void aLineThatIsFasterThanTheAnswerToTheSubmissionIsKept() {
        assertThat(jobs.take(line("5", SegLine.ACTIVE, 0))).isEmpty();
        assertThat(jobs.take(line("5", SegLine.DONE, 0))).isEmpty();
        assertThat(jobs.oldestUntold()).contains(NOW);
        assertThat(jobs.put("alice", newTag(), List.of("5")))
                .extracting(LrmEvent::kind)
                .containsExactly(Kind.STARTED, Kind.ENDED);
        assertThat(jobs.oldestUntold()).isEmpty();
    }

    @Test
    void aLineOfAnEarlierJobWithTheSameIdIsNotAboutTheLaterOne() {
        SegLine old = new SegLine(NOW.minusSeconds(3600), "5", SegLine.DONE, 1);
        assertThat(jobs.take(old)).isEmpty();
        JobId tag = newTag();
        assertThat(jobs.put("alice", tag, List.of("5"))).isEmpty();
        assertThat(jobs.take(old)).isEmpty();
        assertThat(taken(line("5", SegLine.DONE, 0)).tag()).isEqualTo(tag);
    }

    @Test
    void aJobOfSeveralIdsIsOverWithTheLastAndEndsAsTheWorst() {
        jobs.put("alice", newTag(), List.of("1", "2", "3"));
        assertThat(jobs.take(line("2", SegLine.DONE, 4))).isEmpty();
        assertThat(jobs.take(line("2", SegLine.DONE, 4))).isEmpty();
        assertThat(jobs.take(line("1", SegLine.DONE, 0))).isEmpty();
        LrmEvent.End end = requireNonNull(taken(line("3", SegLine.DONE, 0)).end());
        assertThat(end.exitCode()).isEqualTo(4);
    }

    @Test
    void aFailureIsACancelOnlyIfSomebodyAskedForIt() {
        JobId lost = newTag();
        JobId ended = newTag();
        cancelled.add(ended);
        jobs.put("alice", lost, List.of("1"));
        jobs.put("alice", ended, List.of("2"));
        LrmEvent.End failure =
                requireNonNull(taken(line("1", SegLine.FAILED, 12)).end());
        assertThat(failure.cause()).isEqualTo(Cause.LOST);
        assertThat(failure.fault())
                .isNotNull()
                .satisfies(fault -> assertThat(fault.sentence()).contains("exit code 12"));
        assertThat(requireNonNull(taken(line("2", SegLine.FAILED, 0)).end()).cause())
                .isEqualTo(Cause.CANCELLED);
    }

    @Test
    void linesAboutNobodyAreBoundedInNumberAndTime() {
        IntStream.range(0, SegJobs.MAX_EARLY + 10).forEach(i -> jobs.take(line("x" + i, SegLine.ACTIVE, 0)));
        assertThat(jobs.put("alice", newTag(), List.of("x0"))).isEmpty();
        assertThat(jobs.put("alice", newTag(), List.of("x10"))).hasSize(1);
        clock = Clock.fixed(NOW.plus(SegJobs.EARLY).plusSeconds(1), ZoneOffset.UTC);
        assertThat(jobs.oldestUntold()).isEqualTo(Optional.empty());
    }

    /** An account could take the news of another's job by telling its id as its own job's. */
    @Test
    void anIdOfTwoAccountsIsAskedOfEach() {
        JobId victim = newTag();
        JobId thief = newTag();
        jobs.put("alice", victim, List.of("5"));
        jobs.put("bob", thief, List.of("5", "6"));
        assertThat(jobs.take(line("5", SegLine.DONE, 0))).isEmpty();
        assertThat(jobs.toAsk()).containsExactly(new SegJobs.Claim("alice", victim), new SegJobs.Claim("bob", thief));
        assertThat(jobs.toAsk()).isEmpty();
        jobs.drop(thief);
        assertThat(taken(line("5", SegLine.DONE, 3)).tag()).isEqualTo(victim);
        assertThat(jobs.size()).isZero();
    }
}
