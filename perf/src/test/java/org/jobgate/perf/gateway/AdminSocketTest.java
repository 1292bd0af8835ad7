// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class AdminSocketTest {

    @TempDir
    Path directory;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private Path file;
    private ServerSocketChannel server;
    private AdminSocket admin;

    @BeforeEach
    void open() throws IOException {
        file = directory.resolve("admin.sock");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(file));
        admin = new AdminSocket(file, Duration.ofMinutes(1));
    }

    @AfterEach
    void close() throws IOException {
        admin.close();
        server.close();
    }

    @Test
    void statusIsRead() throws IOException {
        serve(target -> "HTTP/1.1 200 OK\r\n\r\n{\"state\":\"running\",\"liveJobs\":3}");

        assertThat(admin.status().path("state").asString()).isEqualTo("running");
        assertThat(asked).containsExactly("GET /status HTTP/1.1");
    }

    /** The service gives the newest first, as it does here. */
    private static String newestFirst(String target) {
        return target.contains("after=job-0500") ? page(0, 500) : page(500, 1_500);
    }

    @Test
    void allPagesOfTheListAreReadAndTheOldestStandsFirst() throws IOException {
        serve(AdminSocketTest::newestFirst);

        List<JsonNode> jobs = admin.jobs("");
        assertThat(jobs).hasSize(1_500);
        assertThat(jobs.getFirst().path("id").asString()).isEqualTo("job-0000");
        assertThat(jobs.getLast().path("id").asString()).isEqualTo("job-1499");
        assertThat(asked).hasSize(2);
    }

    @Test
    void ofJobsAfterOneTheOlderOnesAreNotAskedFor() throws IOException {
        serve(AdminSocketTest::newestFirst);

        List<JsonNode> jobs = admin.jobs("job-1497");
        assertThat(jobs).map(job -> job.path("id").asString()).containsExactly("job-1498", "job-1499");
        assertThat(asked).hasSize(1);
    }

    @Test
    void anErrorOfTheGatewayIsShown() {
        serve(target -> "HTTP/1.1 404 Not Found\r\n\r\n{\"error\":{\"sentence\":\"no such job\"}}");

        assertThatIOException().isThrownBy(() -> admin.job("x")).withMessageContaining("no such job");
    }

    @Test
    void anAnswerThatIsNotJsonIsAnError() {
        serve(target -> "HTTP/1.1 200 OK\r\n\r\n<html>");

        assertThatIOException().isThrownBy(admin::status).withMessageContaining("JSON");
    }

    @Test
    void aGatewayThatHangsDoesNotHangTheHarness() throws IOException {
        serve(target -> {
            try {
                Thread.sleep(20_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "";
        });

        try (AdminSocket hasty = new AdminSocket(file, Duration.ofSeconds(1))) {
            assertThatIOException().isThrownBy(hasty::status);
        }
    }

    private static String page(int from, int to) {
        return "HTTP/1.1 200 OK\r\n\r\n{\"jobs\":["
                + IntStream.range(from, to)
                        .mapToObj(place -> to - 1 - (place - from))
                        .map(place -> String.format("{\"id\":\"job-%04d\"}", place))
                        .collect(Collectors.joining(","))
                + "]}";
    }

    private void serve(Function<String, String> answer) {
        Thread.ofPlatform().daemon().start(() -> {
            while (server.isOpen()) {
                try (SocketChannel client = server.accept()) {
                    String first = new BufferedReader(
                                    new InputStreamReader(Channels.newInputStream(client), StandardCharsets.US_ASCII))
                            .readLine();
                    asked.add(first);
                    client.write(ByteBuffer.wrap(answer.apply(first).getBytes(StandardCharsets.UTF_8)));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }
}
