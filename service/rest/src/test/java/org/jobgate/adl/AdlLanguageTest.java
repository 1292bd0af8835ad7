// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.language.DescribedJob;
import org.jobgate.language.JobLanguages;
import org.jobgate.language.ReadingContext;
import org.jobgate.limits.JobLimits;
import org.jobgate.xrsl.XrslLanguage;
import org.junit.jupiter.api.Test;

/** Both languages as any door has them. */
class AdlLanguageTest {

    private static final AdlLanguage ADL = new AdlLanguage(ActivityRules::of);
    private static final XrslLanguage XRSL = new XrslLanguage(ActivityRules::of);
    private static final JobLanguages ALL = new JobLanguages(List.of(ADL, XRSL));
    private static final ReadingContext CONTEXT =
            new ReadingContext(Set.of("Fork"), wanted -> wanted.orElse("alice"), JobLimits.defaults());

    @Test
    void aTextTellsItsLanguage() {
        assertThat(ALL.find("application/xml", Adl.of("", "", ""))).contains(ADL);
        assertThat(ALL.find("text/plain", " &(executable=/bin/date)")).contains(XRSL);
        assertThat(ALL.find("text/xml", "<job><executable>/bin/date</executable></job>"))
                .isEmpty();
        assertThat(ALL.ofMediaType("application/adl+xml")).contains(ADL);
        assertThat(ALL.ofMediaType("application/xrsl")).contains(XRSL);
    }

    @Test
    void theKeyAndTheTimeToKeepGoWithTheJob() {
        List<DescribedJob> jobs = ADL.read(
                Adl.of(
                        "<WipeTime>60</WipeTime><Environment><Name>GRAM_CLIENT_KEY</Name><Value>k</Value></Environment>",
                        "",
                        ""),
                CONTEXT);

        assertThat(jobs).hasSize(1);
        assertThat(jobs.getFirst().clientId()).isEqualTo("k");
        assertThat(jobs.getFirst().keepAfterEnd()).isEqualTo(Duration.ofMinutes(1));
        assertThat(XRSL.read("+(&(executable=/bin/a))(&(executable=/bin/b))", CONTEXT))
                .extracting(job -> job.description().executable())
                .containsExactly("/bin/a", "/bin/b");
    }

    @Test
    void filesOfUrlsNeedASessionDirectory() {
        String text =
                Adl.of("", "", "<InputFile><Name>a</Name><Source><URI>https://h.example/a</URI></Source></InputFile>");

        assertThatThrownBy(() -> ADL.read(text, CONTEXT))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("session directory");
    }

    @Test
    void aJobIsWrittenWhereAdlCanSayAllOfIt() {
        JobDescription job = JobDescription.builder("/bin/date")
                .stdout("o")
                .stderr("e")
                .arguments(List.of("-u"))
                .build();

        Optional<String> text = ADL.write(job);
        assertThat(text).isPresent();
        assertThat(ADL.read(text.orElseThrow(), CONTEXT).getFirst().description())
                .isEqualTo(job);
        assertThat(ADL.write(job.toBuilder().project("p").build())).isEmpty();
        assertThat(ADL.write(job.toBuilder().directory("/d").build())).isEmpty();
    }
}
