// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.instancio.Select.field;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.instancio.Instancio;
import org.instancio.InstancioApi;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.EnvironmentVariable;
import org.jobgate.job.Extension;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.jobgate.job.TransferList;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What is rendered and read again is equal to what it was. */
class JddRoundTripTest {

    /** With the names of servers and directories that there can be. */
    private static final List<ChirpAccess> CHIRP = Arrays.asList(
            null,
            new ChirpAccess(null, List.of("/data"), List.of()),
            new ChirpAccess("site", List.of("/data/a_b", "/c"), List.of("/scratch/x=y")));

    private static InstancioApi<JobDescription> anything() {
        return Instancio.of(JobDescription.class)
                .supply(field(JobDescription::executable), random -> "/" + text(random))
                .supply(field(JobDescription::arguments), random -> List.of(text(random), "", text(random)))
                .supply(
                        field(JobDescription::environment),
                        random -> List.of(
                                new EnvironmentVariable("NAME", text(random)), new EnvironmentVariable("B", "")))
                .supply(field(JobDescription::directory), random -> text(random))
                .generate(field(JobDescription::count), gen -> gen.ints().range(1, 10_000))
                .generate(
                        field(JobDescription::hostCount),
                        gen -> gen.ints().range(1, 100).nullable())
                .generate(
                        field(JobDescription::maxMemoryMiB),
                        gen -> gen.longs().min(0L).nullable())
                .generate(
                        field(JobDescription::minMemoryMiB),
                        gen -> gen.longs().min(0L).nullable())
                .supply(field(JobDescription::maxTime), random -> Duration.ofMinutes(random.longRange(0, 50_000)))
                .supply(field(JobDescription::maxWallTime), random -> Duration.ofMinutes(random.longRange(0, 50_000)))
                .ignore(field(JobDescription::maxCpuTime))
                .generate(
                        field(JobDescription::holdAt),
                        gen -> gen.oneOf(
                                null, JobState.STAGE_IN, JobState.PENDING, JobState.STAGE_OUT, JobState.CLEAN_UP))
                .generate(
                        field(JobDescription::holdAgain),
                        gen -> gen.oneOf(null, JobState.PENDING, JobState.STAGE_OUT, JobState.CLEAN_UP))
                .supply(field(JobDescription::transfers), random -> TransferList.NONE)
                .supply(field(JobDescription::credentials), random -> List.of())
                .supply(field(JobDescription::subJobs), random -> List.of())
                .supply(field(JobDescription::chirp), random -> random.oneOf(CHIRP))
                // the language has no words for them
                .supply(field(JobDescription::after), random -> List.of())
                .ignore(field(JobDescription::resources))
                .supply(
                        field(JobDescription::extensions),
                        random -> List.of(new Extension(
                                "outer",
                                Map.of("name", text(random)),
                                text(random).strip(),
                                List.of(new Extension("inner", Map.of(), "x", List.of())))));
    }

    /** Texts of what is hard to carry in XML or in the language: quotes, variables, white space, other scripts. */
    private static String text(org.instancio.Random random) {
        StringBuilder text = new StringBuilder();
        String[] parts = {
            "a", " ", "<", "&", "\"", "'", "$", "${X}", "$${GLOBUS_USER_HOME}", "\n", "\r", "\t", "ä", "😀", "]]>"
        };
        for (int i = random.intRange(1, 12); i > 0; i--) {
            text.append(random.oneOf(parts));
        }
        return text.toString();
    }

    @RepeatedTest(200)
    void aDescriptionThatIsRenderedIsReadAsItWas() {
        JobDescription description = anything().create();

        assertThat(Jdd.parse(Jdd.render(description))).isEqualTo(description);
    }

    @Test
    void timesThatAreNotWholeMinutesAreRoundedUp() {
        JobDescription description = JobDescription.builder("/bin/date")
                .maxWallTime(Duration.ofSeconds(61))
                .build();

        assertThat(Jdd.parse(Jdd.render(description)).maxWallTime()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void whatXmlCannotCarryIsReplaced() {
        assertThat(Jdd.parse(Jdd.render(JobDescription.of("/bin/date", "a\u0001b")))
                        .arguments())
                .containsExactly("a\uFFFDb");
    }
}
