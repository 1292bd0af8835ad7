// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.https;

import static java.util.Objects.requireNonNull;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jobgate.transfer.protocol.TransferCredential;
import org.jspecify.annotations.Nullable;

/** One client for each credential, so that connections are used again and never with another's. */
final class HttpsClients implements AutoCloseable {

    private static final int MAX_CLIENTS = 64;

    private final Function<@Nullable TransferCredential, SSLContext> tls;
    private final Duration connectTimeout;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    /** The one that was used longest ago first. */
    private final Map<String, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);

    HttpsClients(Function<@Nullable TransferCredential, SSLContext> tls, Duration connectTimeout) {
        this.tls = requireNonNull(tls, "tls is null");
        this.connectTimeout = requireNonNull(connectTimeout, "connectTimeout is null");
    }

    synchronized HttpClient of(@Nullable TransferCredential credential) {
        String id = credential == null ? "" : credential.id();
        HttpClient known = clients.get(id);
        if (known != null) {
            return known;
        }
        if (clients.size() >= MAX_CLIENTS) {
            String oldest = clients.keySet().iterator().next();
            requireNonNull(clients.remove(oldest)).shutdown(); // what it does now it finishes
        }
        HttpClient made = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .sslContext(tls.apply(credential))
                .executor(executor)
                .build();
        clients.put(id, made);
        return made;
    }

    /**
     * Lets go those of these credentials. They are not shut down: somebody may have just been given one. Without users they end by
     * themselves, keys and all.
     *
     * @param credential what the ids of the credentials begin with
     */
    synchronized void forget(String credential) {
        clients.keySet().removeIf(id -> id.startsWith(credential));
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(HttpClient::shutdownNow);
        clients.clear();
        executor.shutdownNow();
    }
}
