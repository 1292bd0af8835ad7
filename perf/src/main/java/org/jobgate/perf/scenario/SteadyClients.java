// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Latencies;
import tools.jackson.databind.json.JsonMapper;

/**
 * A few clients of one user that ask at a steady rate, in a process of their own ({@link SteadyLoop}): in the process of a crowd their
 * requests and answers would wait for those of the crowd, whatever the service does.
 */
final class SteadyClients implements Closeable {

    private static final Duration END_TIMEOUT = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;

    /** What came of one time. */
    record Told(double perSecond, Latencies.Percentiles latencies, Map<String, Long> refused) {

        Told {
            requireNonNull(latencies, "latencies is null");
            refused = Map.copyOf(refused);
        }
    }

    /**
     * Starts the process, and returns when its clients are connected.
     *
     * @param proxy of their user
     * @param job of that user
     * @param rate of all together, per second
     */
    SteadyClients(Lab lab, Path proxy, String job, int clients, double rate) throws IOException {
        this.process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.jobgate.perf.Main",
                        "steady",
                        "--url",
                        lab.url(),
                        "--proxy",
                        proxy.toString(),
                        "--trust",
                        lab.trustDirectory().toString(),
                        "--job",
                        job,
                        "--clients",
                        Integer.toString(clients),
                        "--rate",
                        Double.toString(rate)))
                .redirectError(new File(lab.directory().toFile(), "steady.log"))
                .start();
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        String ready = answers.readLine();
        if (!SteadyLoop.READY.equals(ready)) {
            close();
            throw new IOException("the process of the steady clients did not begin; see " + lab.directory()
                    + "/steady.log (it said " + ready + ")");
        }
    }

    /** They ask from now on. */
    void begin() throws IOException {
        order(SteadyLoop.BEGIN);
    }

    /** They stop, and what they asked last is waited for. */
    Told end() throws IOException {
        order(SteadyLoop.END);
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the process of the steady clients has ended");
        }
        return JSON.readValue(line, Told.class);
    }

    private void order(String word) throws IOException {
        orders.write(word + "\n");
        orders.flush();
    }

    /** Ends the process. */
    @Override
    public void close() throws IOException {
        try {
            orders.close();
            if (!process.waitFor(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            answers.close();
        }
    }
}
