// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.rest.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jobgate.limits.Limit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A crowd of followers, of whom a quarter is one too many, and all of whom lose their connections at once and come again. By hand with thousands:
 * {@code -Djobgate.events.clients=9000}, where a process may have 20,000 open files.
 */
class EventStormTest extends ApiRoom {

    private static final int CLIENTS = Integer.getInteger("jobgate.events.clients", 240);
    private static final int MOST = CLIENTS * 3 / 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60).plusMillis(20L * CLIENTS);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** What those were told that were not served. */
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();

    @Override
    ApiSettings settings() {
        ApiSettings usual = super.settings();
        return new ApiSettings(
                usual.version(),
                usual.jobs(),
                usual.listedJobs(),
                usual.maxWait(),
                usual.keepAlive(),
                PATIENCE,
                usual.waiting(),
                usual.waitingPerOwner(),
                new Limit("api.maxFollowers", MOST),
                new Limit("api.maxFollowersPerOwner", CLIENTS),
                usual.readers(),
                usual.readersPerOwner(),
                usual.fileBytes());
    }

    /** One that reads as a browser does, and comes again with the id of the last event that it has. */
    private final class Follower {
        private final List<String> changes = new CopyOnWriteArrayList<>();
        private volatile String last = "0";
        private volatile boolean isServed;
        private volatile @Nullable Socket socket;

        /** Connects once; answers when the stream is over. */
        void follow() {
            try (Socket made = new Socket(InetAddress.getLoopbackAddress(), port())) {
                socket = made;
                made.getOutputStream()
                        .write(("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nSubject: " + ALICE
                                        + "\r\nLast-Event-ID: " + last + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                read(new BufferedReader(new InputStreamReader(made.getInputStream(), StandardCharsets.UTF_8), 512));
            } catch (IOException e) {
                // the test has cut the connection
            } finally {
                isServed = false;
            }
        }

        private void read(BufferedReader in) throws IOException {
            String status = String.valueOf(in.readLine());
            if (!status.startsWith("HTTP/1.1 200")) {
                StringBuilder said = new StringBuilder(status);
                for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                    said.append('\n').append(line);
                }
                char[] body = new char[1_000];
                int count = in.read(body);
                refusals.add(said + "\n" + new String(body, 0, Math.max(count, 0)));
                return;
            }
            String id = "";
            boolean isChange = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("event: ")) {
                    isServed = true;
                    isChange = line.equals("event: change");
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ") && isChange) {
                    changes.add(id);
                    last = id;
                }
            }
        }

        void cut() throws IOException {
            Socket there = socket;
            if (there != null) {
                there.close();
            }
        }
    }

    private List<String> history(String id) throws Exception {
        return get(ALICE, "/jobs/" + id + "/history")
                .json()
                .get("changes")
                .valueStream()
                .map(change -> change.get("cursor").asString())
                .toList();
    }

    private static long served(List<Follower> followers) {
        return followers.stream().filter(follower -> follower.isServed).count();
    }

    @Test
    void aCrowdIsBoundedByNameAndAStormOfReturnsLosesNothingAndTellsNothingTwice() throws Exception {
        try (threads) {
            List<Follower> all =
                    IntStream.range(0, CLIENTS).mapToObj(i -> new Follower()).toList();
            all.forEach(follower -> threads.execute(follower::follow));
            await().atMost(PATIENCE).until(() -> served(all) + refusals.size() >= CLIENTS);
            List<Follower> in =
                    all.stream().filter(follower -> follower.isServed).toList();
            assertThat(in).hasSize(MOST);
            assertThat(refusals)
                    .hasSize(CLIENTS - MOST)
                    .allSatisfy(said ->
                            assertThat(said).startsWith("HTTP/1.1 503").contains("Retry-After", "api.maxFollowers"));

            String first = submit(ALICE, TRUE);
            finish(first, 0);
            List<String> told = history(first);
            await().atMost(PATIENCE)
                    .until(() -> in.stream().allMatch(follower -> follower.changes.size() >= told.size()));

            for (Follower follower : in) {
                follower.cut();
            }
            in.forEach(follower -> threads.execute(() -> comeBack(follower)));
            String second = submit(ALICE, TRUE);
            finish(second, 0);
            List<String> both =
                    Stream.concat(told.stream(), history(second).stream()).toList();
            await().atMost(PATIENCE)
                    .until(() -> in.stream().allMatch(follower -> follower.changes.size() >= both.size()));
            assertThat(in)
                    .allSatisfy(follower -> assertThat(new ArrayList<>(follower.changes))
                            .as("without a gap and without a double")
                            .isEqualTo(both));
            isOver = true;
            for (Follower follower : all) {
                follower.cut();
            }
        }
    }

    private volatile boolean isOver;

    /** Those that went hold their places until the server notices; who comes too early is refused, and comes again. */
    private void comeBack(Follower follower) {
        while (!isOver && !Thread.currentThread().isInterrupted()) {
            follower.follow();
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
