// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Slurm's own REST interface ({@code docker/lab/slurm} with {@code JOBGATE_LAB_SLURM_REST=1}): one request for each job, on keep-alive
 * connections without TLS, with a token that Slurm gives for the account. Its answer says that the job is in Slurm's queue.
 */
public final class Slurmrestd {

    /** What reports call it. */
    public static final String NAME = "slurmrestd";

    /** What a reader must know of its figures. */
    public static final String REMARK =
            "slurmrestd is asked by plain HTTP without TLS, with one token for all jobs; a repeated request makes a second job.";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String URL_VARIABLE = "JOBGATE_LAB_SLURM_REST_URL";
    private static final String API = "/slurm/v0.0.38";
    private static final String BRING_UP =
            "as root: JOBGATE_LAB_SLURM_REST=1 docker/lab/slurm up, and eval \"$(docker/lab/slurm env)\"";
    private static final int CONNECT_MS = 500;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final String TOKEN_LIFE_SECONDS = "7200";
    private static final String TOKEN_BEGIN = "SLURM_JWT=";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final String account;
    private final String token;

    private Slurmrestd(String url, String account, String token) {
        this.url = url;
        this.account = account;
        this.token = token;
    }

    /** Why it cannot be measured on this machine, and what to do about it; empty where it can. */
    public static Optional<String> absence() {
        String url = System.getenv(URL_VARIABLE);
        if (url == null) {
            return Optional.of(URL_VARIABLE + " is not set; " + BRING_UP);
        }
        URI place = URI.create(url);
        try (Socket probe = new Socket()) {
            probe.connect(new InetSocketAddress(place.getHost(), place.getPort()), CONNECT_MS);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("nobody answers at " + url + " (" + e.getMessage() + "); " + BRING_UP);
        }
    }

    /** Its version. */
    public static String version() throws IOException, InterruptedException {
        return NAME + " " + Programs.packageVersion(NAME);
    }

    /**
     * The one of the lab, with a token for this account, which only root and Slurm's own account can get for another.
     *
     * @throws IOException if Slurm gives none
     */
    public static Slurmrestd of(String account) throws IOException, InterruptedException {
        requireNonNull(account, "account is null");
        String said =
                Programs.output(List.of("scontrol", "token", "username=" + account, "lifespan=" + TOKEN_LIFE_SECONDS));
        if (!said.startsWith(TOKEN_BEGIN)) {
            throw new IOException("scontrol gave no token for " + account + "; " + BRING_UP);
        }
        String url = requireNonNull(System.getenv(URL_VARIABLE), URL_VARIABLE + " is not set");
        return new Slurmrestd(url, account, said.substring(TOKEN_BEGIN.length()).strip());
    }

    /**
     * Gives it so many jobs of one name, each by a request of its own.
     *
     * @param connections how many requests are under way at once
     * @throws IOException at the first job that it refuses
     */
    public void submit(int jobs, String name, List<String> program, int connections)
            throws IOException, InterruptedException {
        String body = description(name, program);
        AtomicInteger left = new AtomicInteger(jobs);
        try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                senders.add(threads.submit(() -> {
                    try {
                        while (left.getAndDecrement() > 0) {
                            submit(body);
                        }
                        return null;
                    } catch (IOException e) {
                        // the others need not go on
                        left.set(0);
                        throw e;
                    }
                }));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("slurmrestd did not take all jobs: " + e.getCause(), e);
        }
    }

    private void submit(String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + API + "/job/submit"))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .header("X-SLURM-USER-NAME", account)
                .header("X-SLURM-USER-TOKEN", token)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());
        requireJob(reply.statusCode(), reply.body());
    }

    /** What it is asked for one job. */
    static String description(String name, List<String> program) {
        return JSON.writeValueAsString(Map.of(
                "script",
                "#!/bin/sh\nexec " + String.join(" ", program) + "\n",
                "job",
                Map.of(
                        "name",
                        name,
                        "current_working_directory",
                        "/tmp",
                        "standard_output",
                        "/dev/null",
                        "environment",
                        Map.of("PATH", "/usr/bin:/bin"))));
    }

    /** Fails if the answer names no job. */
    static void requireJob(int status, String body) throws IOException {
        try {
            JsonNode answer = JSON.readTree(body);
            if (status == 200
                    && answer.path("job_id").asLong(0) > 0
                    && answer.path("errors").isEmpty()) {
                return;
            }
        } catch (JacksonException e) {
            throw new IOException(
                    NAME + " answered a submission with HTTP status " + status + ", not in JSON: " + body, e);
        }
        throw new IOException(NAME + " refused a job with HTTP status " + status + ": " + body);
    }
}
