// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs and replies; the rest needs a server: FtpProtocolIT. */
class FtpTest {

    @Test
    void aUrlPointsSomewhere() throws Exception {
        FtpPlace place = FtpPlace.of(URI.create("ftp://h:2121//a%20b/c/"));
        assertThat(place).isEqualTo(new FtpPlace("h", 2121, "/a b/c"));
        assertThat(place.unfinished("1").path()).isEqualTo("/a b/.jobgate-1.part");
        assertThat(place.parent().parent().isTop()).isTrue();
        assertThat(place.parent().parent().inside("x").path()).isEqualTo("/x");
        assertThatThrownBy(() -> place.inside("x\r\nDELE y")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> place.inside("../x")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://u:secret@h/a",
                "ftp://u@h/a",
                "ftp://h/a%0Ab",
                "ftp://h/a%00",
                "ftp://h",
                "ftp://h/a;type=a"
            })
    void otherUrlsAreRefusedWithoutSayingWhatIsInThem(String url) {
        assertThatThrownBy(() -> FtpPlace.of(URI.create(url)))
                .isInstanceOf(TransferException.class)
                .message()
                .doesNotContain("secret");
    }

    @Test
    void aServerWhoseOwnProcessBreaksIsAskedAgain() {
        TransferException told =
                FtpRefusals.told(new FtpRefusedException("RETR", 500, "500 OOPS: priv_sock_get_int\r\n"), "reading /x");
        assertThat(told.kind()).isEqualTo(Kind.TRANSIENT);
        assertThat(told.sentence()).endsWith("500 OOPS: priv_sock_get_int");
    }

    @ParameterizedTest
    @CsvSource({
        "421, SERVER",
        "425, TRANSIENT",
        "450, TRANSIENT",
        "452, TRANSIENT",
        "552, TRANSIENT",
        "530, PERMANENT",
        "550, PERMANENT",
        "500, PERMANENT"
    })
    void aReplySaysWhetherAnotherAttemptHelps(int code, Kind kind) {
        TransferException told =
                FtpRefusals.told(new FtpRefusedException("RETR", code, code + " no\r\n"), "reading /x");
        assertThat(told.kind()).isEqualTo(kind);
        assertThat(told.sentence()).endsWith("RETR with " + code + " no");
    }
}
