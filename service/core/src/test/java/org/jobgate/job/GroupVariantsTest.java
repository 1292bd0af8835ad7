// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;

class GroupVariantsTest {

    private static void check(long bytes) {
        new Limit("limits.maxGroupBytes", 100_000).check(bytes, "bytes");
    }

    private static JobDescription job(String argument, String value, String url) {
        return JobDescription.builder("/bin/{index}")
                .arguments(List.of("-s", argument))
                .environment(List.of(new EnvironmentVariable("A", value)))
                .transfers(new TransferList(
                        List.of(new Transfer(url, "file:///in")), List.of(), List.of("file:///{value}")))
                .build();
    }

    private static GroupTemplate template(List<JobDescription> jobs) {
        GroupVariants.Builder builder = new GroupVariants.Builder(GroupVariantsTest::check);
        jobs.forEach(builder::add);
        return GroupTemplate.ofVariants(builder.build());
    }

    @Test
    void eachElementIsWhatWasAdded() {
        List<JobDescription> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            JobDescription job = job("" + i % 3, "{index}" + i, "https://host/" + i);
            jobs.add(
                    i % 4 == 0
                            ? job.toBuilder().maxWallTime(Duration.ofSeconds(i)).build()
                            : job);
        }
        GroupTemplate template = template(jobs);

        assertThat(template.indexes()).isEqualTo(new GroupIndexes(0, 1, 20));
        for (int i = 0; i < 20; i++) {
            assertThat(template.element(i)).isEqualTo(jobs.get(i));
        }
    }

    /** What a file sweep replaces in files is a text like others: one description for all points. */
    @Test
    void whatIsReplacedInFilesMayDiffer() {
        List<JobDescription> jobs = IntStream.range(0, 20)
                .mapToObj(i -> job("a", "b", "https://host/in").toBuilder()
                        .transfers(new TransferList(
                                List.of(
                                        new Transfer("https://host/in", "file:///in"),
                                        new Transfer(
                                                "https://host/t",
                                                "file:///t",
                                                Map.of(
                                                        FileTokens.OPTION,
                                                        FileTokens.of(Map.of("@A@", "{index}" + i))
                                                                .text()))),
                                List.of(),
                                List.of()))
                        .build())
                .toList();

        GroupTemplate template = template(jobs);

        for (int i = 0; i < 20; i++) {
            assertThat(template.element(i)).isEqualTo(jobs.get(i));
        }
        assertThat(requireNonNull(template.variants()).variants()).hasSize(1);
    }

    @Test
    void onlyWhatDiffersIsHeld() {
        GroupTemplate template = template(List.of(job("1", "a", "https://h/x"), job("2", "a", "https://h/x")));
        GroupVariants variants = requireNonNull(template.variants());

        assertThat(variants.variants()).hasSize(1);
        assertThat(variants.elements())
                .containsExactly(
                        new GroupVariants.Element(0, List.of("1")), new GroupVariants.Element(0, List.of("2")));
        assertThat(template.value(1)).isEqualTo("2");
    }

    @Test
    void asMuchAsTheLimitSaysCanDiffer() {
        GroupVariants.Builder builder =
                new GroupVariants.Builder(GroupVariantsTest::check).add(job("", "", "https://h/x"));

        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> {
                    for (int i = 0; i < 3; i++) {
                        builder.add(job("x".repeat(50_000) + i, "", "https://h/x"));
                    }
                })
                .withMessageContaining("limits.maxGroupBytes");
    }

    /** Each variant is stored whole, so whatever is in it counts: here the names of variables. */
    @Test
    void aVariantCountsWithAllThatIsInIt() {
        List<EnvironmentVariable> many = IntStream.range(0, 100)
                .mapToObj(i -> new EnvironmentVariable("N".repeat(100) + i, ""))
                .toList();
        JobDescription.Builder job = JobDescription.builder("/bin/date").environment(many);
        GroupVariants.Builder builder = new GroupVariants.Builder(GroupVariantsTest::check);

        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> {
                    for (int i = 1; i < 20; i++) {
                        builder.add(job.maxWallTime(Duration.ofSeconds(i)).build());
                    }
                })
                .withMessageContaining("limits.maxGroupBytes");
    }

    /** Where one element differs, all others have a text of their own, too. */
    @Test
    void textsOfAllElementsAreCountedBeforeTheyAreMade() {
        List<JobDescription> jobs = IntStream.range(0, 100)
                .mapToObj(i -> {
                    List<String> arguments = new ArrayList<>(Collections.nCopies(100, "x".repeat(100)));
                    arguments.set(i, "y");
                    return JobDescription.builder("/bin/date")
                            .arguments(arguments)
                            .build();
                })
                .toList();
        AtomicLong told = new AtomicLong();
        GroupVariants.Builder builder = new GroupVariants.Builder(told::set);
        jobs.forEach(builder::add);

        assertThat(builder.build().bytes()).isEqualTo(told.get()).isGreaterThan(900_000);
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> template(jobs))
                .withMessageContaining("limits.maxGroupBytes");
    }

    @Test
    void anElementWithoutItsVariantIsNone() {
        GroupVariants.Variant variant = new GroupVariants.Variant(JobDescription.of("/bin/date"), List.of(0));

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new GroupVariants(List.of(variant), List.of(new GroupVariants.Element(1, List.of("a")))));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new GroupVariants(List.of(variant), List.of(new GroupVariants.Element(0, List.of()))));
    }
}
