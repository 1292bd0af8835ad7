// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.job;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jobgate.job.CreationFlag;
import org.jobgate.job.FaultException;
import org.jobgate.job.FileTokens;
import org.jobgate.transfer.Protocols;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whichever door a copy with tokens comes by, what cannot be done with it is refused when the job is submitted. */
class ContentRulesTest {

    private static void check(Directive directive, Map<String, String> options, String destination) {
        new ContentRules(new Protocols(List.of())).check(directive, options, URI.create(destination));
    }

    @Test
    void tokensAreReplacedInAFileThatIsFetched() {
        assertThatCode(() -> {
                    check(Directive.STAGE_IN, Map.of(FileTokens.OPTION, "@A@=1"), "file:///in");
                    check(
                            Directive.STAGE_IN,
                            Map.of(FileTokens.OPTION, "@A@=1", CreationFlag.OPTION, CreationFlag.DONT_OVERWRITE.word()),
                            "file:///in");
                })
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "STAGE_OUT, @A@=1, file:///x, x, x, only in a single file that is fetched",
        "STAGE_IN, @A@=1, https://host/x, x, x, only in a single file that is fetched",
        "STAGE_IN, @A@=1, file:///directory/, x, x, only in a single file that is fetched",
        "STAGE_IN, @A@=1, file:///x, checksum, md5, another checksum",
        "STAGE_IN, @A@, file:///x, x, x, token=value",
        "STAGE_IN, a=%zz, file:///x, x, x, fileTokens"
    })
    void everythingElseIsRefused(
            Directive directive, String tokens, String destination, String option, String value, String why) {
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> check(directive, Map.of(FileTokens.OPTION, tokens, option, value), destination))
                .withMessageContaining(why);
    }
}
