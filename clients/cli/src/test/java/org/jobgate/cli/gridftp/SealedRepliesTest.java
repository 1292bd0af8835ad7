// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jobgate.cli.stub.TrialCertificates;
import org.jobgate.cli.tls.RefusedException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is believed of a server after the login, when somebody on the way may add lines and drop others. */
class SealedRepliesTest {
    private static final int PATIENCE_MS = 60_000;

    @TempDir
    private static Path shared;

    private static TrialCertificates certificates;

    @BeforeAll
    static void certificates() {
        certificates = TrialCertificates.make(shared, "rsa");
    }

    private static GridFtpSession open(GridFtpStub server) throws Exception {
        return GridFtpSession.open(server.identity(PATIENCE_MS), "localhost", server.port());
    }

    @ParameterizedTest
    @ValueSource(strings = {"213 5", "226 done", "550 no such file", "421 idle", "633", ""})
    void aLineThatIsNotEncryptedIsNeverAnAnswer(String line) throws Exception {
        try (GridFtpStub server = new GridFtpStub(certificates, (command, talk) -> talk.plain(line + "\r\n"));
                GridFtpSession session = open(server)) {
            // not a refusal, which would end the command: who is on the way can cut the connection, too
            assertThatThrownBy(() -> session.size("/f"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(RefusedException.class)
                    .hasMessageContaining("not encrypted");
        }
    }

    @Test
    void anEncryptedAnswerIsBelieved() throws Exception {
        try (GridFtpStub server = new GridFtpStub(certificates, (command, talk) -> talk.say("213 5"));
                GridFtpSession session = open(server)) {
            assertThat(session.size("/f")).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"230 welcome\r\n", "230-welcome"})
    void whatCameBeforeTheEncryptionIsNoAnswerToALaterCommand(String early) throws Exception {
        try (GridFtpStub server = new GridFtpStub(certificates, (command, talk) -> talk.say("213 5"))) {
            server.afterLogin = early;
            assertThatThrownBy(() -> open(server))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(RefusedException.class)
                    .hasMessageContaining("before the login was over");
        }
    }

    /** Whatever it says: its time to answer goes by. */
    private static void goesBy(GridFtpStub.Script script) throws Exception {
        try (GridFtpStub server = new GridFtpStub(certificates, (command, talk) -> {
                    while (true) {
                        script.take(command, talk);
                    }
                });
                GridFtpSession session = server.opened(3_000)) {
            assertTimeoutPreemptively(
                    Duration.ofMinutes(1),
                    () -> assertThatThrownBy(() -> session.size("/f"))
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("did not answer"));
        }
    }

    @Test
    void preliminaryAnswersWithoutEndAreNotWaitedFor() throws Exception {
        goesBy((command, talk) -> {
            talk.say("150 soon");
            Thread.sleep(10);
        });
    }

    @Test
    void nothingEncryptedWithoutEndIsNotWaitedFor() throws Exception {
        goesBy((command, talk) -> talk.sealed(new byte[] {0}));
    }

    @Test
    void aByteNowAndThenIsNotWaitedFor() throws Exception {
        goesBy((command, talk) -> {
            talk.plain("6");
            Thread.sleep(50);
        });
    }
}
