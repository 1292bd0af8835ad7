// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.jobgate.transfer.protocol.End;
import org.jobgate.transfer.protocol.Progress;
import org.jobgate.transfer.protocol.TransferContext;
import org.jobgate.transfer.protocol.TransferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RftOptionsTest {

    private static TransferContext context(Map<String, String> options) {
        Progress nobody = new Progress() {
            @Override
            public void moved(long bytes) {}

            @Override
            public boolean isMarkDue() {
                return false;
            }

            @Override
            public void mark(String marker) {}
        };
        return new TransferContext("id", "alice", null, options, false, Duration.ofSeconds(1), null, nobody);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, 1", "9999999, 1", "10000000, 2", "99999999, 2", "100000000, 4", "5000000000, 4"})
    void theSizeSaysHowManyStreamsThereAre(long size, int streams) throws Exception {
        assertThat(RftOptions.thirdParty(context(Map.of()), size).streams()).isEqualTo(streams);
    }

    @ParameterizedTest
    @CsvSource({
        "sourceSubjectName, /O=Grid/CN=x, ",
        "subjectName, 'CN=x,O=Grid', ",
        "destinationSubjectName, nonsense, ",
        "sourceSubjectName, nonsense, 'the option sourceSubjectName: ''nonsense'' is not a subject'",
        "subjectName, /NO=x, 'the option subjectName: a subject has no attribute NO'",
        "userName, alice, the option userName is not supported",
        "parallelStreams, 33, parallelStreams is 33; possible are 1 to 32",
        "parallelStreams, 32, ",
        "blockSize, 0, blockSize is 0",
        "tcpBufferSize, 268435457, tcpBufferSize is 268435457",
    })
    void whatCannotBeHeededIsSaidBefore(String option, String value, String why) {
        var refusal = RftOptions.refusal(Map.of(option, value), End.SOURCE);
        if (why == null) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal.orElseThrow()).contains(why);
        }
    }

    @Test
    void eachEndHasTheServerThatIsNamedForIt() throws Exception {
        TransferContext both = context(Map.of("subjectName", "/CN=both", "sourceSubjectName", "/CN=source"));
        assertThat(RftOptions.server(both.at(End.SOURCE))).hasToString("/CN=source");
        assertThat(RftOptions.server(both.at(End.DESTINATION))).hasToString("/CN=both");
        assertThat(RftOptions.server(
                        context(Map.of("sourceSubjectName", "/CN=source")).at(End.DESTINATION)))
                .isNull();
    }

    @Test
    void whatTheOwnerSaysCounts() throws Exception {
        Map<String, String> one = Map.of("parallelStreams", "1");
        assertThat(RftOptions.thirdParty(context(one), 1L << 40).streams()).isEqualTo(1);
        Map<String, String> many = Map.of("parallelStreams", "16");
        assertThat(RftOptions.thirdParty(context(many), 1).streams()).isEqualTo(16);
        assertThatThrownBy(() -> RftOptions.thirdParty(context(Map.of("parallelStreams", "33")), 1))
                .isInstanceOf(TransferException.class)
                .hasMessageContaining("possible are 1 to 32");
    }
}
