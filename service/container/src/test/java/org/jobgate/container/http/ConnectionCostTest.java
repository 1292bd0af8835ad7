// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client costs that has asked and keeps its connection: some thousands of them must fit in the service's heap. */
class ConnectionCostTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final TestPki.Credential HOST = PKI.issue("CN=localhost,O=Grid");
    private static final TestPki.Credential ALICE = PKI.issue("CN=Alice,O=Grid");
    private static final int FIRST = 20;
    private static final int CLIENTS = 150;
    private static final int KIB = 1024;
    private static final int ANSWER_MILLIS = 30_000;
    /** Of both ends, for the client is in this process as well. */
    private static final long MOST = 80 * KIB;

    @TempDir
    Path folder = Path.of("");

    @Test
    void aClientThatKeepsItsConnectionCostsLittleOfTheHeap() throws Exception {
        PKI.trustIn(folder.resolve("trust"));
        Deque<Socket> open = new ArrayDeque<>();
        try (TrialGate gate = TrialGate.start(folder, HOST, "")) {
            int port = gate.ports().getFirst();
            for (int i = 0; i < FIRST; i++) {
                open.add(asked(port));
            }
            long before = used();
            for (int i = 0; i < CLIENTS; i++) {
                open.add(asked(port));
            }
            long each = (used() - before) / CLIENTS;
            System.out.printf("a connection, both ends: %d KiB%n", each / KIB);
            assertThat(each).isLessThan(MOST);
        } finally {
            while (!open.isEmpty()) {
                open.remove().close();
            }
        }
    }

    /** Twice: some is made only for a second request. */
    private static Socket asked(int port) throws IOException {
        Socket socket = TestPki.client(ALICE).getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(ANSWER_MILLIS);
        ask(socket);
        ask(socket);
        return socket;
    }

    private static void ask(Socket socket) throws IOException {
        String request = "POST " + TrialGate.WHO
                + " HTTP/1.1\r\nHost: localhost:8443\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"\"\r\nContent-Length: "
                + TrialGate.ASK.length() + "\r\n\r\n" + TrialGate.ASK;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as(head.toString()).isNotNegative();
            head.append((char) next);
        }
        assertThat(head).startsWith("HTTP/1.1 200");
        Matcher length = Pattern.compile("(?i)content-length: *([0-9]+)").matcher(head);
        assertThat(length.find()).as(head.toString()).isTrue();
        int expected = Integer.parseInt(length.group(1));
        assertThat(socket.getInputStream().readNBytes(expected)).hasSize(expected);
    }

    private static long used() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
