// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jobgate.perf.wire.HttpReply;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The gateway's admin endpoint: HTTP and JSON over the Unix domain socket in its state directory. */
public final class AdminSocket implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int PAGE = 1_000;

    private final Path socket;
    private final Duration timeout;
    /** Closes the channel of a call that takes too long: a blocking socket channel has no timeout of its own. */
    private final ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("admin-watchdog").factory());

    /**
     * An endpoint that need not be there yet.
     *
     * @param timeout for one whole call
     */
    public AdminSocket(Path socket, Duration timeout) {
        this.socket = requireNonNull(socket, "socket is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
    }

    /** {@code GET /status}. */
    public JsonNode status() throws IOException {
        return call("GET", "/status");
    }

    /** One job with its description and all its changes. */
    public JsonNode job(String id) throws IOException {
        return call("GET", "/jobs/" + id);
    }

    /**
     * All jobs, live and finished, oldest first, after the given id (empty for all). The service lists the newest first: nothing that is older
     * than the id is asked for.
     */
    public List<JsonNode> jobs(String after) throws IOException {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        while (true) {
            JsonNode page = call(
                            "GET", "/jobs?finished=true&limit=" + PAGE + (cursor.isEmpty() ? "" : "&after=" + cursor))
                    .path("jobs");
            for (JsonNode job : page) {
                cursor = job.path("id").asString();
                // ids begin with their time
                if (cursor.compareTo(after) <= 0) {
                    return all.reversed();
                }
                all.add(job);
            }
            if (page.size() < PAGE) {
                return all.reversed();
            }
        }
    }

    /** What the audit has on record of a job. */
    public JsonNode auditRecord(String id) throws IOException {
        return call("GET", "/audit/jobs/" + id);
    }

    /** Sums of what the jobs on record used: a list with a row for each value of the keys. */
    public JsonNode usage(String query) throws IOException {
        return call("GET", "/audit/usage?" + query).path("rows");
    }

    /** Whether the audit records are as they were written: {@code fault} says where not. */
    public JsonNode auditProof() throws IOException {
        return call("GET", "/audit/verify");
    }

    /** Asks the gateway to drain and end. */
    public void stop() throws IOException {
        call("POST", "/stop");
    }

    private JsonNode call(String method, String target) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            ScheduledFuture<?> guard =
                    watchdog.schedule(() -> close(channel), timeout.toMillis(), TimeUnit.MILLISECONDS);
            channel.connect(UnixDomainSocketAddress.of(socket));
            HttpReply.write(
                    Channels.newOutputStream(channel),
                    method + " " + target
                            + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                    new byte[0]);
            HttpReply reply = HttpReply.read(new BufferedInputStream(Channels.newInputStream(channel)));
            guard.cancel(false);
            return answer(method + " " + target, reply);
        }
    }

    private static JsonNode answer(String call, HttpReply reply) throws IOException {
        if (reply.status() / 100 != 2) {
            throw new IOException("admin call " + call + " was answered with " + reply.status() + ": " + reply.body());
        }
        try {
            return JSON.readTree(reply.body());
        } catch (JacksonException e) {
            throw new IOException("admin call " + call + " was not answered with JSON: " + reply.body(), e);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
    }
}
