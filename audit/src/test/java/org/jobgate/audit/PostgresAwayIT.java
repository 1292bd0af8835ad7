// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.Job;
import org.jobgate.store.JobStore;
import org.jobgate.store.sql.JobStores;
import org.jobgate.store.sql.PostgresSchema;
import org.jobgate.store.sql.SampleJobs;
import org.jobgate.store.sql.StoreSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records in a PostgreSQL that is away for a while ({@code -Djobgate.audit.away=SECONDS}, 3 where nothing is said): jobs go on, and their
 * records follow. It is reached through a relay that closes; the server serves other tests. Needs one: {@code eval "$(scripts/postgres up)"}.
 */
class PostgresAwayIT {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    private final SampleJobs samples = new SampleJobs(4);
    private int made;

    /** Passes bytes on, both ways, while it is open. */
    private static final class Relay implements AutoCloseable {

        private final InetSocketAddress server;
        private final int port;
        private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
        private @Nullable ServerSocket listener;

        Relay(InetSocketAddress server) throws IOException {
            this.server = server;
            this.port = listen(0);
        }

        int port() {
            return port;
        }

        private int listen(int wanted) throws IOException {
            ServerSocket made = new ServerSocket();
            made.setReuseAddress(true);
            made.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
            listener = made;
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        Socket client = made.accept();
                        Socket ours = new Socket(server.getAddress(), server.getPort());
                        sockets.addAll(List.of(client, ours));
                        if (made.isClosed()) {
                            // closed since: none must stay that close() did not see
                            client.close();
                            ours.close();
                        }
                        Thread.ofVirtual().start(() -> pass(client, ours));
                        Thread.ofVirtual().start(() -> pass(ours, client));
                    }
                } catch (IOException closed) {
                    // the end of the relay
                    assertThat(made.isClosed()).isTrue();
                }
            });
            return made.getLocalPort();
        }

        private static void pass(Socket from, Socket to) {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException broken) {
                assertThat(from.isClosed() || to.isClosed()).isTrue();
            }
        }

        void open() throws IOException {
            listen(port);
        }

        @Override
        public void close() throws IOException {
            if (listener != null) {
                listener.close();
            }
            for (Socket socket : sockets) {
                socket.close();
            }
            sockets.clear();
        }
    }

    @Test
    void whileTheServerIsAwayJobsGoOnAndTheRecordsFollow() throws Exception {
        try (PostgresSchema schema = new PostgresSchema(directory)) {
            StoreSettings settings = schema.settings();
            URI url = URI.create(settings.url().substring("jdbc:".length()));
            try (Relay relay = new Relay(new InetSocketAddress(url.getHost(), url.getPort()))) {
                String through = "jdbc:postgresql://127.0.0.1:" + relay.port() + url.getPath() + "?" + url.getQuery();
                away(relay, AuditStore.postgres(through, settings.user(), settings.passwordFile()));
            }
        }
    }

    private void away(Relay relay, AuditStore where) throws Exception {
        AuditSettings settings = new AuditSettings(
                where, directory, "x", "1", description -> "", job -> Optional.empty(), AuditKeeping.FOR_EVER);
        Duration away = Duration.ofSeconds(Integer.getInteger("jobgate.audit.away", 3));
        try (JobStore store =
                        JobStores.open(StoreSettings.of("sqlite:" + directory.resolve("jobs.db")), Clock.systemUTC());
                AuditDatabase database = AuditDatabase.open(where, directory)) {
            try (Audit audit = new Audit(store, settings)) {
                audit.start(List.of());
                finished(store);
                await().atMost(PATIENCE).until(() -> audit.lag() == 0);
                relay.close();
                Instant back = Instant.now().plus(away);
                while (Instant.now().isBefore(back)) {
                    finished(store);
                    Thread.sleep(50);
                }
                await().atMost(PATIENCE).until(() -> audit.trouble().isPresent());
                assertThat(audit.lag()).isPositive();
                relay.open();
                await().atMost(PATIENCE)
                        .until(() -> audit.lag() == 0 && audit.trouble().isEmpty());
                assertThat(audit.jobs(SampleJobs.ALICE, Instant.EPOCH, null, 1_000))
                        .hasSize(Math.min(made, 1_000))
                        .allSatisfy(row -> assertThat(row).containsKey("ended"));
            }
            assertThat(AuditVerifier.verify(database, directory.resolve("audit.head"))
                            .fault())
                    .isNull();
        }
    }

    private void finished(JobStore store) {
        Job job = samples.job(SampleJobs.ALICE, "job " + made++, "Fork", "alice");
        store.create(SampleJobs.newJob(job)).join();
        store.update(job.id(), SampleJobs.finish(Instant.now())).join();
    }
}
