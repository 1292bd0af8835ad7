// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import eu.emi.security.authn.x509.X509Credential;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions with a server that says what a real one would hardly say. */
class GridFtpSessionTest {

    private static final GridFtpSettings PATIENT =
            GridFtpSettings.DEFAULTS.withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));

    @TempDir
    private static Path trust;

    private static GridPki pki;
    private static X509Credential alice;
    private static GsiSecurity host;
    private static GsiSecurity user;

    @BeforeAll
    static void issue() throws Exception {
        pki = new GridPki(trust);
        alice = GridPki.proxy(pki.user("Alice"), options -> {});
        host = pki.security(pki.host("localhost"), Delegation.NONE);
        user = pki.security(alice, Delegation.NONE);
    }

    private static ScriptedServer server(UnaryOperator<String> script) throws IOException {
        return new ScriptedServer(host, "220 Ready", c -> c.startsWith("AUTH") ? "334 Go on" : script.apply(c));
    }

    private static GridFtpSession open(ScriptedServer server) throws GridFtpException {
        return GridFtpSession.open(server.address(), user, PATIENT, Clock.systemUTC());
    }

    private static GridFtpException failure(ScriptedServer server) {
        return catchThrowableOfType(GridFtpException.class, () -> open(server));
    }

    @Test
    void aReplyOfManyLinesIsOneReply() throws Exception {
        try (ScriptedServer server =
                        server(c -> "211-Features\r\n MLST Type*;Size*;\r\n211-not the end\r\n DCAU\r\n211 End");
                GridFtpSession session = open(server)) {
            assertThat(session.features()).contains("MLST", "DCAU");
        }
    }

    /** Of letters that become two as capitals, none moves where the token begins. */
    @Test
    void whateverLettersStandBeforeATokenOfTheLoginItIsFound() throws Exception {
        try (ScriptedServer server = server(c -> "250 OK")) {
            server.beforeToken = "gr\u00fc\u00dfe, \u0149 \ufb03: ";
            try (GridFtpSession session = open(server)) {
                session.deleteFile("/a");
                assertThat(server.commands).containsExactly("DELE /a");
            }
        }
    }

    @Test
    void pipelinedCommandsAreSentBeforeTheFirstReplyIsRead() throws Exception {
        StringBuilder held = new StringBuilder();
        try (ScriptedServer server = server(c -> {
                    held.append(held.isEmpty() ? "" : "\r\n").append("250 ").append(c);
                    return c.equals("DELE c") ? held.toString() : "-";
                });
                GridFtpSession session = open(server)) {
            List<Reply> replies = session.pipeline(List.of("DELE a", "DELE b", "DELE c"));
            assertThat(replies).extracting(Reply::text).containsExactly("DELE a", "DELE b", "DELE c");
        }
    }

    @Test
    void aPathThatWouldEndItsCommandIsNotSent() throws Exception {
        try (ScriptedServer server = server(c -> "250 OK");
                GridFtpSession session = open(server)) {
            for (String path : List.of("/a\r\nDELE /b", "/a\nDELE /b", "/a\rb", "/a\0b")) {
                assertThatThrownBy(() -> session.deleteFile(path)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> session.rename("/x", path)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> session.checksum("MD5", path, 0, -1))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(server.commands).isEmpty();
            assertThat(session.isUsable()).isTrue();
        }
    }

    @Test
    void aMissingFileIsPermanentAndSaysServerCommandAndReply() throws Exception {
        try (ScriptedServer server = server(c -> "550 No such file or directory.");
                GridFtpSession session = open(server)) {
            GridFtpException e = catchThrowableOfType(GridFtpException.class, () -> session.size("/data/none"));
            assertThat(e).isInstanceOf(PermanentGridFtpException.class);
            assertThat(e.fault()).isEqualTo(Fault.NOT_FOUND);
            assertThat(e.server()).isEqualTo(server.address());
            assertThat(e.command()).isEqualTo("SIZE /data/none");
            assertThat(requireNonNull(e.reply()).code()).isEqualTo(550);
            assertThat(e).hasMessageContaining(server.address().toString()).hasMessageContaining("No such file");
            assertThat(session.isUsable()).isTrue();
        }
    }

    @Test
    void whatPassesByIsTransient() throws Exception {
        for (String reply : List.of(
                "421 Too busy",
                "425 Can't open data connection",
                "426 Data connection closed",
                "452 Insufficient storage",
                "500-Command failed.\r\n500-System error in connect: Connection refused\r\n500 End.",
                "500-Command failed. : words that nobody has heard\r\n500 End.",
                "551 Disk quota exceeded")) {
            try (ScriptedServer server = server(c -> reply);
                    GridFtpSession session = open(server)) {
                assertThatThrownBy(() -> session.size("/x")).as(reply).isInstanceOf(TransientGridFtpException.class);
            }
        }
    }

    @Test
    void whatStaysIsPermanent() throws Exception {
        for (String reply : List.of(
                "530 Not allowed",
                "500 Command not supported.",
                "553 Permission denied",
                "451 Directory not empty",
                "501 Bad argument")) {
            try (ScriptedServer server = server(c -> reply);
                    GridFtpSession session = open(server)) {
                assertThatThrownBy(() -> session.size("/x")).as(reply).isInstanceOf(PermanentGridFtpException.class);
            }
        }
    }

    @Test
    void aServerThatHangsUpIsTransientAndTheSessionIsOver() throws Exception {
        try (ScriptedServer server = server(c -> "");
                GridFtpSession session = open(server)) {
            GridFtpException e = catchThrowableOfType(GridFtpException.class, () -> session.size("/x"));
            assertThat(e.fault()).isEqualTo(Fault.CONNECTION);
            assertThat(session.isUsable()).isFalse();
        }
    }

    /** One that waits for three seconds. On a slow machine the login itself may take as long. */
    private static GridFtpSession hasty(ScriptedServer server) throws GridFtpException {
        GridFtpSettings three = GridFtpSettings.DEFAULTS.withTimeouts(Duration.ofSeconds(3), Duration.ofSeconds(3));
        for (int i = 0; i < 10; i++) {
            try {
                return GridFtpSession.open(server.address(), user, three, Clock.systemUTC());
            } catch (TransientGridFtpException tooSlow) {
                assertThat(tooSlow.fault()).isEqualTo(Fault.TIMEOUT);
            }
        }
        return GridFtpSession.open(server.address(), user, three, Clock.systemUTC());
    }

    @Test
    void aServerThatSaysNothingIsLeftInTime() throws Exception {
        try (ScriptedServer server = server(c -> "-");
                GridFtpSession session = hasty(server)) {
            GridFtpException e = catchThrowableOfType(GridFtpException.class, () -> session.size("/x"));
            assertThat(e.fault()).isEqualTo(Fault.TIMEOUT);
            assertThat(session.isUsable()).isFalse();
        }
    }

    @Test
    void aReplyWithoutEndIsRefusedAtTheLimit() throws Exception {
        String endless = "250-line\r\n".repeat(200_000) + "250 End";
        try (ScriptedServer server = server(c -> endless);
                GridFtpSession session = open(server)) {
            GridFtpException e = catchThrowableOfType(GridFtpException.class, () -> session.size("/x"));
            assertThat(e.fault()).isEqualTo(Fault.PROTOCOL);
            assertThat(e).hasMessageContaining("maxReplyBytes").hasMessageContaining("1048576");
        }
    }

    /** Whoever is on the way can write it. */
    @Test
    void aReplyThatIsNotProtectedIsNotBelieved() throws Exception {
        for (String reply : List.of("213 5", "226 Done", "550 No such file", "421 Idle", "631", "63", "")) {
            try (ScriptedServer server = server(c -> ScriptedServer.PLAIN + reply);
                    GridFtpSession session = open(server)) {
                GridFtpException e = catchThrowableOfType(GridFtpException.class, () -> session.size("/x"));
                assertThat(e.fault()).as(reply).isEqualTo(Fault.CONNECTION);
                assertThat(e).hasMessageContaining("not protected");
                assertThat(session.isUsable()).isFalse();
            }
        }
    }

    @Test
    void nothingThatCameBeforeTheProtectionIsTheReplyToALaterCommand() throws Exception {
        for (String more : List.of("\r\n230 Logged in", "\r\n230-Logged", "\r\n230 Logged in\r\n213 5")) {
            try (ScriptedServer server = server(c -> "213 6")) {
                server.welcome = "235 Welcome" + more;
                GridFtpException e = failure(server);
                assertThat(e.fault()).as(more).isEqualTo(Fault.CONNECTION);
                assertThat(e).hasMessageContaining("not protected");
                assertThat(server.commands).isEmpty();
            }
        }
    }

    @Test
    void whatIsNoReplyIsRefused() throws Exception {
        for (String reply : List.of("hello", "999 x", "2x0 y", "25", "213 many", "213 -1")) {
            try (ScriptedServer server = server(c -> reply);
                    GridFtpSession session = open(server)) {
                GridFtpException e = catchThrowableOfType(GridFtpException.class, () -> session.size("/x"));
                assertThat(e.fault()).as(reply).isEqualTo(Fault.PROTOCOL);
            }
        }
    }

    @Test
    void aServerMayNotSendUnauthenticatedDataElsewhere() throws Exception {
        TransferOptions open = TransferOptions.STREAM.withSecurity(DataAuthentication.NONE, Protection.CLEAR);
        try (ScriptedServer server =
                        server(c -> c.equals("PASV") ? "227 Entering Passive Mode (10,9,8,7,1,2)" : "200 OK");
                GridFtpSession session = open(server)) {
            GridFtpException e = catchThrowableOfType(
                    GridFtpException.class, () -> session.get("/x", (at, bytes) -> {}, open, TransferListener.NONE));
            assertThat(e.fault()).isEqualTo(Fault.PROTOCOL);
            assertThat(e).hasMessageContaining("10.9.8.7").hasMessageContaining("DCAU A");
        }
    }

    /** What listens there takes who comes from this machine for its administrator. */
    @Test
    void neitherServersNorWhatTheyNameAreConnectedToAgainstTheRule() throws Exception {
        try (ServerSocket inner = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ScriptedServer server = server(c -> c.startsWith("EPSV") || c.equals("PASV")
                        ? "227 Entering Passive Mode (127,0,0,1," + inner.getLocalPort() / 256 + ","
                                + inner.getLocalPort() % 256 + ")"
                        : c.startsWith("RETR") ? "-" : "200 OK")) {
            ConnectRule rule = (named, address, port) -> {
                if (port == inner.getLocalPort()) {
                    throw new IOException("an inner port");
                }
            };
            GridFtpSettings ruled = PATIENT.withConnectRule(rule);
            inner.setSoTimeout(1);
            try (GridFtpSession session = GridFtpSession.open(server.address(), user, ruled, Clock.systemUTC())) {
                GridFtpException e = catchThrowableOfType(
                        GridFtpException.class,
                        () -> session.get("/x", (at, bytes) -> {}, TransferOptions.STREAM, TransferListener.NONE));
                assertThat(e.fault()).isEqualTo(Fault.REFUSED);
                assertThat(e).hasMessageContaining("an inner port");
            }
            ServerAddress named = new ServerAddress("localhost", inner.getLocalPort());
            assertThat(catchThrowableOfType(
                                    GridFtpException.class,
                                    () -> GridFtpSession.open(named, user, ruled, Clock.systemUTC()))
                            .fault())
                    .isEqualTo(Fault.REFUSED);
            assertThatThrownBy(inner::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aGreetingThatRefusesIsToldAsItIs() throws Exception {
        try (ScriptedServer busy = new ScriptedServer(host, "421 Too many connections", c -> "500 no");
                ScriptedServer strange = new ScriptedServer(host, "HTTP/1.1 400 Bad Request", c -> "500 no")) {
            assertThat(failure(busy)).isInstanceOf(TransientGridFtpException.class);
            assertThat(failure(strange).fault()).isEqualTo(Fault.PROTOCOL);
        }
    }

    @Test
    void aServerWithoutGsiIsRefused() throws Exception {
        try (ScriptedServer server = new ScriptedServer(host, "220 Ready", c -> "504 Unknown mechanism")) {
            GridFtpException e = failure(server);
            assertThat(e.fault()).isEqualTo(Fault.AUTHENTICATION);
            assertThat(requireNonNull(e.reply()).code()).isEqualTo(504);
        }
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() throws Exception {
        GsiSecurity other = pki.security(pki.host("elsewhere.example.org"), Delegation.NONE);
        try (ScriptedServer server = new ScriptedServer(other, "220 Ready", c -> "334 Go on")) {
            GridFtpException e = failure(server);
            assertThat(e.fault()).isEqualTo(Fault.AUTHENTICATION);
            assertThat(e).hasMessageContaining("elsewhere.example.org").hasMessageContaining("localhost");
        }
    }

    @Test
    void anExpiredCredentialIsNotEvenShown() throws Exception {
        try (ScriptedServer server = server(c -> "250 OK")) {
            Clock later = Clock.fixed(Instant.now().plus(Duration.ofDays(2)), ZoneOffset.UTC);
            assertThatThrownBy(() -> GridFtpSession.open(server.address(), user, PATIENT, later))
                    .isInstanceOf(PermanentGridFtpException.class)
                    .hasMessageContaining("expired")
                    .hasMessageContaining("renew");
        }
    }
}
