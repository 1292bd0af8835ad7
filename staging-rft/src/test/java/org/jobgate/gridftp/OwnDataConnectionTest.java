// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.jobgate.gridftp.OwnDataConnection.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which transfer goes over the data connection that the one before has left. */
class OwnDataConnectionTest {

    private static final TransferOptions OPTIONS =
            TransferOptions.EXTENDED.withSecurity(DataAuthentication.NONE, Protection.CLEAR);

    @TempDir
    private static Path trust;

    private static GsiSecurity user;

    private final OwnDataConnection own = new OwnDataConnection();
    private ServerSocket listener;
    private Socket here;
    private Socket there;
    private DataSocket data;

    @BeforeAll
    static void issue() throws Exception {
        GridPki pki = new GridPki(trust);
        user = pki.security(pki.user("Alice"), Delegation.NONE);
    }

    @BeforeEach
    void connect() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        // as the client makes its own: whether it stands is asked of its channel
        here = SocketChannel.open(listener.getLocalSocketAddress()).socket();
        there = listener.accept();
        data = DataSocket.over(here, user, OPTIONS, true);
        own.leave(data, OPTIONS, Direction.SEND);
    }

    @AfterEach
    void disconnect() throws IOException {
        there.close();
        here.close();
        listener.close();
    }

    @Test
    void aTransferOfTheSameKindTakesIt() {
        assertThat(own.isLeft()).isTrue();
        assertThat(own.isLeft(Direction.SEND)).isTrue();
        assertThat(own.isLeft(Direction.FETCH)).isFalse();
        assertThat(own.take(OPTIONS, Direction.SEND)).isSameAs(data);
        assertThat(own.isLeft()).isFalse();
        assertThat(own.take(OPTIONS, Direction.SEND)).isNull();
        assertThat(here.isClosed()).as("it is the caller's").isFalse();
    }

    @Test
    void oneThatGoesTheOtherWayDoesNotServe() {
        assertDoesNotServe(OPTIONS, Direction.FETCH);
    }

    @Test
    void oneWithAnotherAuthenticationDoesNotServe() {
        assertDoesNotServe(OPTIONS.withSecurity(DataAuthentication.SELF, Protection.CLEAR), Direction.SEND);
    }

    @Test
    void oneWithAnotherProtectionDoesNotServe() throws IOException {
        own.close();
        connectAgain();
        own.leave(data, OPTIONS.withSecurity(DataAuthentication.SELF, Protection.CLEAR), Direction.SEND);
        assertDoesNotServe(OPTIONS.withSecurity(DataAuthentication.SELF, Protection.PRIVATE), Direction.SEND);
    }

    @Test
    void oneWithABufferOfAnotherSizeDoesNotServe() {
        assertDoesNotServe(OPTIONS.withBuffers(1 << 20, 1 << 18), Direction.SEND);
    }

    @Test
    void oneThatTheServerHasClosedDoesNotServe() throws Exception {
        there.close();
        await().atMost(Duration.ofMinutes(1)).until(() -> !data.isQuiet());
        assertDoesNotServe(OPTIONS, Direction.SEND);
    }

    @Test
    void closingClosesTheOneThatIsLeft() {
        own.close();
        assertThat(own.isLeft()).isFalse();
        assertThat(here.isClosed()).isTrue();
        own.close();
    }

    private void assertDoesNotServe(TransferOptions options, Direction way) {
        assertThat(own.take(options, way)).isNull();
        assertThat(own.isLeft()).isFalse();
        assertThat(here.isClosed()).isTrue();
    }

    private void connectAgain() throws IOException {
        there.close();
        listener.close();
        connect();
    }
}
