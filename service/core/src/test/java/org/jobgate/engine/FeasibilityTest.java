// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jobgate.job.DescriptionPart;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Gpus;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobType;
import org.jobgate.job.Resource;
import org.jobgate.job.Resources;
import org.jobgate.lrm.LrmCapabilities;
import org.jobgate.lrm.LrmCapabilities.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FeasibilityTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final Queue SHORT = queue("short", true, Duration.ofHours(1), 16L, null);
    private static final Queue LONG = queue("long", false, null, 8L, 4L);
    private static final Queue VAGUE = queue("vague", false, null, null, null);

    private static Queue queue(
            String name,
            boolean isDefault,
            @Nullable Duration maxWallTime,
            @Nullable Long processors,
            @Nullable Long maxProcessors) {
        return new Queue(
                name,
                false,
                isDefault,
                processors,
                null,
                null,
                null,
                null,
                maxWallTime,
                maxProcessors,
                "up",
                null,
                null);
    }

    private static LrmCapabilities known(@Nullable Instant freshUntil, Queue... queues) {
        return new LrmCapabilities(
                "slurm", List.of(queues), Set.of(JobType.SINGLE, JobType.MULTIPLE, JobType.MPI), freshUntil);
    }

    private static JobDescription.Builder job() {
        return JobDescription.builder("/bin/true");
    }

    private static void check(LrmCapabilities known, JobDescription.Builder job) {
        Feasibility.check("Slurm", known, job.build(), NOW);
    }

    private static void refuses(
            JobDescription.Builder job, FaultCode code, DescriptionPart part, String value, String... words) {
        FaultException refusal =
                catchThrowableOfType(FaultException.class, () -> check(known(NOW, SHORT, LONG, VAGUE), job));
        assertThat(refusal).isNotNull();
        Fault fault = refusal.fault();
        assertThat(fault.code()).isEqualTo(code);
        assertThat(fault.part()).isEqualTo(part);
        assertThat(fault.value()).isEqualTo(value);
        assertThat(fault.sentence()).contains(words).contains("Slurm");
        assertThat(fault.remedy()).isNotEmpty();
    }

    private static void takes(LrmCapabilities known, JobDescription.Builder job) {
        assertThatCode(() -> check(known, job)).doesNotThrowAnyException();
    }

    @Test
    void aResourceThatTheLrmCannotGiveIsNamed() {
        LrmCapabilities some = new LrmCapabilities(
                "slurm", List.of(), Set.of(), null, Set.of(Resource.SLOTS, Resource.OPEN_FILES), null);
        JobDescription.Builder both = job().resources(Resources.builder()
                .slots(4)
                .gpus(new Gpus(2, null, null))
                .build());

        takes(some, job().resources(Resources.builder().slots(4).build()));
        takes(new LrmCapabilities("slurm", List.of()), both);
        FaultException refusal = catchThrowableOfType(FaultException.class, () -> check(some, both));
        assertThat(refusal.fault().code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
        assertThat(refusal.fault().attribute()).isEqualTo("gpus");
        assertThat(refusal.fault().value()).isEqualTo("2");
        assertThat(refusal.fault().sentence())
                .isEqualTo("The LRM Slurm cannot give jobs the resource gpus; the job asks for 2.");
    }

    @Test
    void aQueueThatTheLrmDoesNotHaveIsNamedWithThoseItHas() {
        refuses(
                job().queue("lnog"),
                FaultCode.INVALID_DESCRIPTION,
                DescriptionPart.QUEUE,
                "lnog",
                "'lnog'",
                "short, long, vague");
    }

    @Test
    void moreWallTimeThanTheQueueGivesIsRefusedWithBothNumbers() {
        refuses(
                job().queue("short").maxWallTime(Duration.ofMinutes(61)),
                FaultCode.LIMIT_EXCEEDED,
                DescriptionPart.MAX_WALL_TIME,
                "61",
                "61 minutes",
                "at most 60");
        refuses(
                job().maxTime(Duration.ofMinutes(90)),
                FaultCode.LIMIT_EXCEEDED,
                DescriptionPart.MAX_TIME,
                "90",
                "queue short");
        takes(known(NOW, SHORT, LONG), job().maxWallTime(Duration.ofMinutes(60)));
        takes(known(NOW, SHORT, LONG), job().queue("long").maxWallTime(Duration.ofDays(60)));
    }

    @Test
    void moreProcessorsThanThereAreIsRefused() {
        refuses(
                job().jobType(JobType.MPI).count(17),
                FaultCode.LIMIT_EXCEEDED,
                DescriptionPart.COUNT,
                "17",
                "has 16 processors");
        refuses(
                job().jobType(JobType.MULTIPLE).queue("long").count(5),
                FaultCode.LIMIT_EXCEEDED,
                DescriptionPart.COUNT,
                "5",
                "4");
        takes(known(NOW, SHORT), job().jobType(JobType.MPI).count(16));
        takes(known(NOW, SHORT), job().jobType(JobType.MULTIPLE).count(17)); // they need not run at once
        takes(known(NOW, SHORT), job().jobType(JobType.SINGLE).count(17));
    }

    @Test
    void aJobTypeThatTheLrmDoesNotRunIsRefused() {
        refuses(
                job().jobType(JobType.CONDOR),
                FaultCode.UNSUPPORTED_FEATURE,
                DescriptionPart.JOB_TYPE,
                "condor",
                "mpi, multiple, single");
    }

    @Test
    void nobodyIsRefusedForWhatIsNotKnownOrWasKnownTooLongAgo() {
        JobDescription.Builder impossible =
                job().jobType(JobType.MPI).count(1000).queue("none").maxWallTime(Duration.ofDays(1000));
        takes(known(NOW.minusMillis(1), SHORT, LONG), impossible);
        takes(known(null, SHORT, LONG), impossible);
        takes(LrmCapabilities.UNKNOWN, impossible);
        takes(known(NOW), impossible);
        takes(known(NOW, new Queue("Condor", 1L, 0L, 0L, 0L, null)), impossible);
        takes(known(NOW, VAGUE), job().queue("vague").jobType(JobType.MPI).count(1000));
        takes(known(NOW, LONG), job().jobType(JobType.MPI).count(1000)); // which queue it comes to is not known
    }

    @Test
    void whatIsMoreThanTheNameOfOneQueueIsLeftToTheLrm() {
        for (String name : List.of("short,long", "all.q@*", "q@server", "long;id")) {
            takes(known(NOW, SHORT), job().queue(name));
        }
    }
}
