// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.jobgate.access.Access;
import org.jobgate.access.Delegations;
import org.jobgate.authz.Decision;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.Test;

/** Doors are told what was delegated on the connection of a request, and on no other. */
class HttpgDelegatedTest extends HttpServiceRoom {

    private static Delegations vault() {
        return (Delegations) Proxy.newProxyInstance(
                Delegations.class.getClassLoader(),
                new Class<?>[] {Delegations.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "requestAgain" -> new Delegations.Request(String.valueOf(arguments[1]), "AAAA");
                    case "putLonger" ->
                        new Delegations.Delegation(
                                String.valueOf(arguments[2]), Delegations.Kind.PROXY, Instant.MAX, Instant.MAX);
                    default -> throw new IllegalStateException("nobody calls " + method);
                });
    }

    private static String ask(HttpService service, boolean isDelegating) throws Exception {
        try (SSLSocket socket = (SSLSocket) TestPki.client(ALICE)
                .getSocketFactory()
                .createSocket("localhost", service.ports().getFirst())) {
            socket.setSoTimeout(60_000);
            socket.startHandshake();
            if (isDelegating) {
                socket.getOutputStream().write('D');
                assertThat(socket.getInputStream().readNBytes(3)).containsOnly(0);
                socket.getOutputStream()
                        .write(TestPki.proxy(ALICE, options -> {}).chain()[0].getEncoded());
            }
            String request = "POST " + TrialGate.WHO + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/xml\r\n"
                    + "Accept-Encoding: identity\r\nConnection: close\r\nContent-Length: " + TrialGate.ASK.length()
                    + "\r\n\r\n" + TrialGate.ASK;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aDoorIsToldWhatWasDelegatedOnTheConnection() throws Exception {
        // where trees are exported, SRM is served, and with it httpg
        HttpService service = start("maxConnections: 100 }\nfileTrees: [ { name: work, path: /work } ]\nclients: {");
        service.delegateBy(new Access(identity -> new Decision.Permit(List.of("alice"))), vault());
        assertThat(ask(service, true))
                .startsWith("HTTP/1.1 200")
                .containsPattern("CN=Alice.* delegated httpg-[0-9a-f]{16}<");
        assertThat(ask(service, false))
                .startsWith("HTTP/1.1 200")
                .contains("CN=Alice")
                .doesNotContain("delegated");
    }
}
