// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job may ask of its LRM, and what no value may be. */
class ResourcesTest {

    /** One that asks for everything. */
    public static Resources.Builder full() {
        return Resources.builder()
                .slots(8)
                .slotsPerHost(4)
                .threadsPerProcess(2)
                .wholeNodes(true)
                .gpus(new Gpus(2, "a100", Gpus.Mode.EXCLUSIVE_PROCESS))
                .memoryPerSlotMiB(100L)
                .memoryMiB(2_000L)
                .limits(new ProcessLimits(
                        Duration.ofSeconds(90), 1L << 20, 0L, 8L << 20, 256, 4_000, 64L << 20, 4_096L, 1L << 30))
                .nodeFeatures(List.of("fast", "ssd"))
                .hosts(List.of("node1", "node2.example.org"))
                .architecture("x86_64")
                .operatingSystem("Linux")
                .reservation("course-7")
                .preCommand(List.of("/bin/echo", "two words", ""))
                .postCommand(List.of("tidy"))
                .mail(new Mail(List.of("a@example.org"), List.of(Mail.Event.FAILED, Mail.Event.ENDED)));
    }

    @Test
    void namesAllThatIsAskedFor() {
        assertThat(full().build().asked().keySet()).isEqualTo(EnumSet.allOf(Resource.class));
        assertThat(Resources.NONE.asked()).isEmpty();
        assertThat(Resources.builder().gpus(new Gpus(1, null, null)).build().asked())
                .containsExactly(org.assertj.core.api.Assertions.entry(Resource.GPUS, "1"));
    }

    @Test
    void aDescriptionThatAsksForNothingHasNone() {
        JobDescription bare = JobDescription.of("/bin/true");

        assertThat(bare.resources()).isNull();
        assertThat(bare.toBuilder().resources(Resources.builder().build()).build())
                .isEqualTo(bare);
        JobDescription asking = bare.toBuilder().resources(full().build()).build();
        assertThat(asking.toBuilder().build()).isEqualTo(asking).isNotEqualTo(bare);
    }

    @Test
    void aMultiJobAsksForNothingItself() {
        JobDescription multi =
                JobDescription.multi(List.of(new SubJob("Fork", "alice", JobDescription.of("/bin/true"))), null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> multi.toBuilder().resources(full().build()).build())
                .withMessageContaining("its sub-jobs do");
    }

    @Test
    void theEventsOfMailHaveOneOrder() {
        assertThat(new Mail(List.of("a@b"), List.of(Mail.Event.FAILED, Mail.Event.STARTED, Mail.Event.FAILED)))
                .isEqualTo(new Mail(List.of("a@b"), List.of(Mail.Event.STARTED, Mail.Event.FAILED)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "-x", "a b", "a\nb", "a,b", "a;b", "a|b", "a&b", "a=b", "a:b", "$(id)", "`id`", "a\"b", "a'b",
                "../x", "a/b", "\u00e4", "a\u0000"
            })
    void aNameThatAnLrmCouldTakeForMoreIsRefused(String name) {
        Stream.<Consumer<String>>of(
                        text -> new Gpus(1, text, null),
                        text -> Resources.builder().nodeFeatures(List.of(text)).build(),
                        text -> Resources.builder().hosts(List.of(text)).build(),
                        text -> Resources.builder().architecture(text).build(),
                        text -> Resources.builder().operatingSystem(text).build(),
                        text -> Resources.builder().reservation(text).build(),
                        text -> new Mail(List.of(text), List.of(Mail.Event.ENDED)),
                        text -> new Mail(List.of(text + "@example.org"), List.of(Mail.Event.ENDED)),
                        text -> new Mail(List.of("a@" + text), List.of(Mail.Event.ENDED)))
                .forEach(use -> assertThatIllegalArgumentException().isThrownBy(() -> use.accept(name)));
    }

    private static void memory(@Nullable Long data, @Nullable Long locked, @Nullable Long addressSpace) {
        ProcessLimits unused = new ProcessLimits(null, null, null, null, null, null, data, locked, addressSpace);
    }

    @Test
    void numbersAndSizesHaveBounds() {
        Stream.<Runnable>of(
                        () -> Resources.builder().slots(0).build(),
                        () -> Resources.builder().slots(10_000_001).build(),
                        () -> Resources.builder().slotsPerHost(-1).build(),
                        () -> Resources.builder().threadsPerProcess(0).build(),
                        () -> Resources.builder().memoryPerSlotMiB(0L).build(),
                        () -> Resources.builder().memoryMiB(Long.MAX_VALUE).build(),
                        () -> new Gpus(0, null, null),
                        () -> new ProcessLimits(Duration.ZERO, null, null, null, null, null),
                        () -> new ProcessLimits(null, -1L, null, null, null, null),
                        () -> new ProcessLimits(null, null, -1L, null, null, null),
                        () -> new ProcessLimits(null, null, null, 1L, null, null),
                        () -> new ProcessLimits(null, null, null, null, 0, null),
                        () -> new ProcessLimits(null, null, null, null, null, 0),
                        () -> memory(65_535L, null, null),
                        () -> memory(null, -1L, null),
                        () -> memory(null, null, 1_048_575L),
                        () -> new Mail(List.of(), List.of(Mail.Event.ENDED)),
                        () -> new Mail(List.of("a@b"), List.of()),
                        () -> Resources.builder().preCommand(List.of("")).build(),
                        () -> Resources.builder().postCommand(List.of("a\0b")).build())
                .forEach(use -> assertThatIllegalArgumentException().isThrownBy(use::run));
    }
}
