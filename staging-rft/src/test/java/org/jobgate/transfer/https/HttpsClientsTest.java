// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.net.http.HttpClient;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jobgate.transfer.protocol.TransferToken;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A credential has one client as long as it is the same, and none when it is gone. */
class HttpsClientsTest {

    private final HttpsClients clients = new HttpsClients(credential -> context(), Duration.ofSeconds(10));

    @AfterEach
    void close() {
        clients.close();
    }

    private static SSLContext context() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TransferCredential token(String owner, int version) {
        return new TransferToken(owner + " key " + version, "text", Instant.MAX);
    }

    @Test
    void connectionsOfACredentialAreUsedAgainUntilItIsGone() {
        HttpClient first = clients.of(token("alice", 1));
        HttpClient bob = clients.of(token("bob", 1));
        HttpClient nobody = clients.of(null);
        assertThat(clients.of(token("alice", 1))).isSameAs(first);
        assertThat(clients.of(token("alice", 2))).isNotSameAs(first);

        clients.forget("alice key ");

        assertThat(clients.of(token("alice", 1))).isNotSameAs(first);
        assertThat(clients.of(token("bob", 1))).isSameAs(bob);
        assertThat(clients.of(null)).isSameAs(nobody);
        assertThat(first.isTerminated())
                .as("who has been given it can still use it")
                .isFalse();
    }

    @Test
    void oneThatIsGoneLeavesNothingBehind() {
        WeakReference<HttpClient> gone = new WeakReference<>(clients.of(token("alice", 1)));
        clients.forget("alice ");
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            System.gc();
            return gone.get() == null;
        });
    }
}
