// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class SocketsTest {

    @Test
    void aConnectionIsQuietUntilSomethingOrItsEndComes() throws Exception {
        try (ServerSocket listening = Sockets.unbound();
                Socket near = Sockets.unconnected()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near.connect(listening.getLocalSocketAddress(), 1000);
            try (Socket far = listening.accept()) {
                assertThat(Sockets.isQuiet(near)).isTrue();
                assertThat(Sockets.isQuiet(far)).isTrue();

                near.setSoTimeout(10);
                assertThatThrownBy(() -> near.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                near.getOutputStream().write('x');
                assertThat(far.getInputStream().read()).isEqualTo('x');
                assertThat(Sockets.isQuiet(near)).isTrue();

                near.getOutputStream().write('y');
                await().until(() -> !Sockets.isQuiet(far));
            }
            await().until(() -> !Sockets.isQuiet(near));
        }
    }

    /** It is asked before every file. */
    @Test
    void theQuestionDoesNotWait() throws Exception {
        try (ServerSocket listening = Sockets.unbound();
                Socket near = Sockets.unconnected()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near.connect(listening.getLocalSocketAddress(), 1000);
            // the quickest of some: a machine with other work may let any one of them wait
            long asked = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long began = System.nanoTime();
                for (int i = 0; i < 1000; i++) {
                    assertThat(Sockets.isQuiet(near)).isTrue();
                }
                asked = Math.min(asked, System.nanoTime() - began);
            }
            long began = System.nanoTime();
            near.setSoTimeout(1);
            for (int i = 0; i < 1000; i++) {
                assertThatThrownBy(() -> near.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            }
            // the shortest wait that there is, as often
            assertThat(asked).isLessThan(System.nanoTime() - began);
        }
    }
}
