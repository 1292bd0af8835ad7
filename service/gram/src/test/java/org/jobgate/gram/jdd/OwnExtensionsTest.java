// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.jdd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.jobgate.job.ChirpAccess;
import org.jobgate.job.Extension;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.JobDescription;
import org.jobgate.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of jobs that a client writes as extensions are typed in the description, and shown as the client wrote them. */
class OwnExtensionsTest {

    private static final String NODES = "<nodes>4</nodes>";
    private static final String HOLD = "<holdAgain>CleanUp</holdAgain>";
    private static final String SENDS = "<stageOutOnFailure>false</stageOutOnFailure>";
    private static final String FOLLOWS = "<incrementalOutput>true</incrementalOutput>";

    private static JobDescription parsed(String extensions) {
        return Jdd.parse("<job><executable>/bin/date</executable><extensions>" + extensions + "</extensions></job>");
    }

    @ParameterizedTest
    @CsvSource({
        NODES + ", nodes",
        HOLD + ", ''",
        NODES + HOLD + SENDS + FOLLOWS + ", nodes",
        SENDS + FOLLOWS + ", ''",
        HOLD + NODES + ", 'holdAgain,nodes'",
        FOLLOWS + SENDS + ", 'incrementalOutput,stageOutOnFailure'",
        FOLLOWS + FOLLOWS + ", 'incrementalOutput,incrementalOutput'",
        "<incrementalOutput a=\"b\">true</incrementalOutput>, incrementalOutput",
        HOLD + "<nodes><holdAgain>Never</holdAgain></nodes>, 'holdAgain,nodes'",
    })
    void aDescriptionIsShownAsItWasWritten(String extensions, String left) {
        JobDescription job = parsed(extensions);

        assertThat(String.join(
                        ",", job.extensions().stream().map(Extension::name).toList()))
                .isEqualTo(left);
        String shown = Jdd.render(job);
        assertThat(shown.substring(shown.indexOf("extensions>") + 11).replaceFirst("</[a-z:]*extensions>.*", ""))
                .isEqualTo(extensions);
        assertThat(job.holdAgain()).isEqualTo(extensions.contains(HOLD) ? JobState.CLEAN_UP : null);
        assertThat(job.stageOutOnFailure()).isEqualTo(extensions.contains(SENDS) ? false : null);
        assertThat(job.incrementalOutput()).isEqualTo(extensions.contains("incrementalOutput") ? true : null);
    }

    @Test
    void ofOneThatIsGivenTwiceTheLastCounts() {
        assertThat(parsed("<stageOutOnFailure>true</stageOutOnFailure>" + SENDS).stageOutOnFailure())
                .isFalse();
    }

    @Test
    void theOptionsOfAJobOfAnotherDoorAreShownAsExtensions() {
        JobDescription job = JobDescription.builder("/bin/date")
                .extensions(List.of(new Extension("nodes", Map.of(), "4", List.of())))
                .holdAgain(JobState.CLEAN_UP)
                .stageOutOnFailure(false)
                .incrementalOutput(true)
                .build();

        assertThat(Jdd.render(job)).contains(NODES + HOLD + SENDS + FOLLOWS);
        assertThat(Jdd.parse(Jdd.render(job))).isEqualTo(job);
    }

    /** It would begin at once, and its owner would not know. */
    @Test
    void aJobOfItsOwnCannotSayWhatItWaitsFor() {
        assertThatThrownBy(() -> parsed(NODES + "<after when=\"ok\">01980a5e-3c4b-7000-8000-000000000000</after>"))
                .isInstanceOfSatisfying(FaultException.class, e -> {
                    assertThat(e.fault().code()).isEqualTo(FaultCode.UNSUPPORTED_FEATURE);
                    assertThat(e.fault().sentence()).contains("(after)").contains("multi-job");
                });
    }

    private static final String CHIRP =
            "<chirp server=\"data\"><read>/in</read><write>/out</write><write>/more</write></chirp>";

    @Test
    void directoriesOfAChirpServerAreReadAndShownAsTheyWereWritten() {
        JobDescription job = parsed(NODES + CHIRP);

        assertThat(job.chirp()).isEqualTo(new ChirpAccess("data", List.of("/in"), List.of("/out", "/more")));
        assertThat(job.extensions()).hasSize(1);
        assertThat(Jdd.render(job)).contains(NODES + CHIRP);
        assertThat(Jdd.parse(Jdd.render(job))).isEqualTo(job);
        assertThat(parsed("<chirp><read>/in</read></chirp>").chirp())
                .isEqualTo(new ChirpAccess(null, List.of("/in"), List.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "<chirp/>, names 0 directories",
        "<chirp><read>in</read></chirp>, no absolute path",
        "<chirp><read>/a/../b</read></chirp>, no absolute path",
        "<chirp><write>/a b</write></chirp>, no absolute path",
        "<chirp><list>/a</list></chirp>, read and write only",
        "<chirp server=\"a b\"><read>/in</read></chirp>, no name of a server",
    })
    void directoriesThatCannotBeAreRefused(String extensions, String why) {
        assertThatThrownBy(() -> parsed(extensions)).hasMessageContaining(why);
    }
}
