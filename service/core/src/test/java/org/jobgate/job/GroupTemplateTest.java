// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.jobgate.job.GroupIndexes.Places;
import org.junit.jupiter.api.Test;

/** What the elements of a group are made of. */
class GroupTemplateTest {

    private static final JobDescription ALL = JobDescription.builder("/bin/{value}")
            .directory("/work/{index}")
            .arguments(List.of("--n={index}", "{value}", "{value}{value}", "{other}", "{{value}}", "{", "}"))
            .environment(List.of(new EnvironmentVariable("INDEX", "{index}")))
            .stdin("in.{index}")
            .stdout("out.{index}")
            .stderr("err.{value}")
            .queue("{value}")
            .transfers(new TransferList(
                    List.of(new Transfer("https://host/{value}", "file:///in.{index}")),
                    List.of(new Transfer("file:///out.{index}", "https://host/out.{index}")),
                    List.of("file:///out.{index}")))
            .build();

    @Test
    void indexAndValueAreFilledInWhereverTextsOfTheUserAre() {
        JobDescription second = GroupTemplate.ofValues(ALL, List.of("a", "b c")).element(1);
        assertThat(second.executable()).isEqualTo("/bin/b c");
        assertThat(second.directory()).isEqualTo("/work/1");
        assertThat(second.arguments()).containsExactly("--n=1", "b c", "b cb c", "{other}", "{value}", "{", "}");
        assertThat(second.environment()).containsExactly(new EnvironmentVariable("INDEX", "1"));
        assertThat(second.stdin()).isEqualTo("in.1");
        assertThat(second.stdout()).isEqualTo("out.1");
        assertThat(second.stderr()).isEqualTo("err.b c");
        assertThat(second.queue()).as("no text of the user's own").isEqualTo("{value}");
        assertThat(second.transfers().stageIn()).containsExactly(new Transfer("https://host/b c", "file:///in.1"));
        assertThat(second.transfers().stageOut()).containsExactly(new Transfer("file:///out.1", "https://host/out.1"));
        assertThat(second.transfers().cleanUp()).containsExactly("file:///out.1");
    }

    @Test
    void nothingIsReadInAValueAgain() {
        String odd = "{index} {value} {{value}} $0 \\1 ; rm -rf / \n";
        JobDescription only = GroupTemplate.ofValues(JobDescription.of("/bin/echo", "[{value}]"), List.of(odd))
                .element(0);
        assertThat(only.arguments()).containsExactly("[" + odd + "]");
    }

    @Test
    void withoutValuesTheIndexIsTheValue() {
        GroupTemplate template = GroupTemplate.ofIndexes(
                JobDescription.of("/bin/echo", "{index}", "{value}"), GroupIndexes.range(10, 20, 5));
        assertThat(template.indexes().size()).isEqualTo(3);
        assertThat(template.element(2).arguments()).containsExactly("20", "20");
    }

    @Test
    void aRangeOfIndexesIsARangeOfPlaces() {
        GroupIndexes indexes = GroupIndexes.range(10, 30, 5);
        assertThat(indexes.places(new IndexRange(11, 22))).contains(new Places(1, 2));
        assertThat(indexes.places(new IndexRange(0, 10))).contains(new Places(0, 0));
        assertThat(indexes.places(new IndexRange(30, Integer.MAX_VALUE))).contains(new Places(4, 4));
        assertThat(indexes.places(new IndexRange(16, 19))).isEmpty();
        assertThat(indexes.places(new IndexRange(-9, 9))).isEmpty();
        assertThat(indexes.places(new IndexRange(31, 40))).isEmpty();
        assertThat(indexes.place(25)).contains(3);
        assertThat(List.of(indexes.place(9), indexes.place(11), indexes.place(35)))
                .containsOnly(Optional.empty());
    }

    @Test
    void whatMakesNoGroupIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> GroupIndexes.range(5, 4, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> GroupIndexes.range(0, 4, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new GroupIndexes(0, Integer.MAX_VALUE, 3));
        assertThatIllegalArgumentException().isThrownBy(() -> GroupTemplate.ofValues(ALL, List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupTemplate(ALL, new GroupIndexes(0, 1, 3), List.of("a", "b")));
    }
}
