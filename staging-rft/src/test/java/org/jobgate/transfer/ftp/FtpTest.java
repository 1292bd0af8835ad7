// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jobgate.transfer.protocol.TransferException;
import org.jobgate.transfer.protocol.TransferException.Kind;
import org.jobgate.transfer.protocol.TransferPassword;
import org.jobgate.transfer.protocol.UrlPolicy;
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

    /** Its words go to the owner and into the log. */
    @Test
    void aServerThatRepeatsThePasswordDoesNotHaveItShown() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread serving = Thread.ofVirtual().start(() -> refuseLogin(server));
            FtpPlace place = FtpPlace.of(URI.create("ftp://127.0.0.1:" + server.getLocalPort() + "/a"));
            assertThatThrownBy(() -> FtpSession.open(
                            place,
                            new TransferPassword("1", "user", "s3cret"),
                            Duration.ofSeconds(20),
                            new UrlPolicy(true)))
                    .isInstanceOf(FtpRefusedException.class)
                    .hasMessage("the login as user with 530 no user of the password (password)");
            serving.join();
        }
    }

    private static void refuseLogin(ServerSocket server) {
        try (Socket client = server.accept()) {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = client.getOutputStream();
            out.write("220 here\r\n".getBytes(StandardCharsets.US_ASCII));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String reply = line.startsWith("PASS ")
                        ? "530 no user of the password " + line.substring("PASS ".length())
                        : line.startsWith("USER ") ? "331 password" : "221 bye";
                out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
