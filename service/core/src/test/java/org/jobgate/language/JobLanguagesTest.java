// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.GroupTemplate;
import org.jobgate.job.JobDescription;
import org.jobgate.limits.JobLimits;
import org.junit.jupiter.api.Test;

class JobLanguagesTest {

    private static final JobLanguage JSDL = language("jsdl", "<jsdl", "application/jsdl+xml");
    private static final JobLanguage JDL = language("jdl", "[", "text/jdl", "application/jdl");

    private final JobLanguages languages = new JobLanguages(List.of(JSDL, JDL));

    private static JobLanguage language(String name, String sign, String... types) {
        return new JobLanguage() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<String> mediaTypes() {
                return List.of(types);
            }

            @Override
            public boolean recognizes(String beginning) {
                return beginning.contains(sign);
            }

            @Override
            public List<DescribedJob> read(String text, ReadingContext context) {
                return List.of(DescribedJob.of(JobDescription.builder(text).build()));
            }
        };
    }

    @Test
    void aLanguageIsFoundByEachOfItsTypesInAnyCase() {
        assertThat(languages.find("application/jdl", "<jsdl>")).contains(JDL);
        assertThat(languages.find("Text/JDL", "")).contains(JDL);
        assertThat(languages.find("application/jsdl+xml", "")).contains(JSDL);
        assertThat(languages.find("application/json", "[ ]")).isEmpty();
        assertThat(languages.mediaTypes()).containsExactly("application/jsdl+xml", "text/jdl", "application/jdl");
    }

    @Test
    void whereTheTypeSaysNoLanguageTheTextDoes() {
        assertThat(languages.find("text/xml", "<?xml version='1.0'?><jsdl:JobDefinition"))
                .contains(JSDL);
        assertThat(languages.find("text/plain", "[ Executable = 1 ]")).contains(JDL);
        assertThat(languages.find("application/xml", "<other/>")).isEmpty();
        assertThat(languages.recognize(" ".repeat(JobLanguages.BEGINNING) + "<jsdl/>"))
                .as("only the beginning is looked at")
                .isEmpty();
    }

    @Test
    void aTypeMeansOneLanguage() {
        assertThatThrownBy(() -> new JobLanguages(List.of(JDL, language("other", "x", "text/jdl"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("text/jdl");
        assertThatThrownBy(() -> new JobLanguages(List.of(language("any", "x", "text/xml"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new JobLanguages(List.of(JDL, language("jdl", "x", "text/x"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("called jdl");
    }

    @Test
    void whatARequestSaysBesideTheTextIsItsDefault() {
        ReadingContext context = new ReadingContext(
                new LinkedHashSet<>(List.of("Fork", "Slurm")), wanted -> wanted.orElse("alice"), JobLimits.defaults());
        assertThat(context.defaultLrm()).isEqualTo("Fork");
        assertThat(context.withDefaultLrm("Slurm").lrms()).containsExactly("Slurm", "Fork");
        assertThat(context.account(Optional.empty())).isEqualTo("alice");
        assertThatThrownBy(() -> new ReadingContext(Set.of(), wanted -> "", JobLimits.defaults()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aGroupAndItsDescriptionAreOne() {
        JobDescription one = JobDescription.builder("/bin/true").build();
        GroupTemplate template = GroupTemplate.ofValues(one, List.of("a", "b"));
        DescribedJob group = DescribedJob.of(template).withMaxRunning(3).withLrm("Slurm");
        assertThat(group.group()).isEqualTo(template);
        assertThat(group.maxRunning()).isEqualTo(3);
        assertThat(group.description()).isEqualTo(one);
        assertThatThrownBy(() -> DescribedJob.of(one).withMaxRunning(3)).isInstanceOf(IllegalArgumentException.class);
    }
}
