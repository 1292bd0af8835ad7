// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer;

import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A server that takes a connection and says nothing. */
public final class SilentServer {

    private static final int CONNECT_MILLIS = 120_000;
    private static final long END_SECONDS = 60;

    private SilentServer() {}

    /** Asks the server at this port of this machine for something. */
    public interface Asking {
        void at(int port) throws Exception;
    }

    /** Interrupts who asks once the connection is there; answers how it ended. */
    public static Throwable interrupted(Asking asking) throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            silent.setSoTimeout(CONNECT_MILLIS);
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    asking.at(silent.getLocalPort());
                    ended.complete(new AssertionError("it came about"));
                } catch (Exception e) {
                    ended.complete(e);
                }
            });
            try (Socket taken = silent.accept()) {
                taken.setTcpNoDelay(true);
                caller.interrupt();
                return ended.get(END_SECONDS, TimeUnit.SECONDS);
            }
        }
    }
}
