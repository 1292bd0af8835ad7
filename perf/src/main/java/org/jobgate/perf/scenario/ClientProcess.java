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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Latencies;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Clients in a process of their own ({@link ClientLoop}). In the process of a crowd, the requests and answers of a few others would wait for
 * those of the crowd, whatever the service does; and the system can be told to run a crowd's process after all others, which its threads
 * alone cannot be.
 */
final class ClientProcess implements Closeable {

    private static final Duration END_TIMEOUT = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;
    private final Map<String, Long> refused;

    /** What came of one time. */
    record Told(double perSecond, Latencies.Percentiles latencies, Map<String, Long> refused) {

        Told {
            requireNonNull(latencies, "latencies is null");
            refused = Map.copyOf(refused);
        }
    }

    /**
     * What the clients are.
     *
     * @param proxies of their users
     * @param jobs of these users
     * @param srm the directory that they have the storage resource manager list; absent: they ask for the state of the jobs
     * @param number of clients
     * @param rate of all together, per second; 0: as fast as they are answered
     * @param firstAddress the number of the first one's loopback address
     * @param niceness 0 to 19; 19: the system runs them when nobody else wants a processor
     * @param heap of the process, as {@code -Xmx} takes it
     */
    record Players(
            List<Path> proxies,
            List<String> jobs,
            @Nullable String srm,
            int number,
            double rate,
            int firstAddress,
            int niceness,
            String heap) {

        Players {
            proxies = List.copyOf(proxies);
            jobs = List.copyOf(jobs);
            requireNonNull(heap, "heap is null");
        }
    }

    /** Starts the process, and returns when each of its clients has tried to connect. */
    ClientProcess(Lab lab, String name, Players players) throws IOException {
        File log = new File(lab.directory().toFile(), name + ".log");
        this.process =
                new ProcessBuilder(command(lab, players)).redirectError(log).start();
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        String ready = answers.readLine();
        if (ready == null) {
            close();
            throw new IOException("the process of the clients did not begin; see " + log);
        }
        this.refused = JSON.readValue(ready, new TypeReference<Map<String, Long>>() {});
    }

    /**
     * What a command begins with to run in a session of its own with this niceness, and that session too. Linux deals the processors out
     * between sessions first (sched_autogroup, sched(7)), and the niceness of a process counts only beside those of its own session: a crowd
     * in the harness's session would take half of the processors from a service that has one of its own, however nice it is.
     *
     * @param niceness 0 to 19
     */
    static List<String> lowered(int niceness) {
        String nice = Integer.toString(niceness);
        return List.of(
                "setsid",
                "sh",
                "-c",
                "if [ -e /proc/self/autogroup ]; then echo \"$0\" > /proc/self/autogroup || exit; fi; exec nice -n \"$0\" \"$@\"",
                nice);
    }

    private static List<String> command(Lab lab, Players players) {
        List<String> command = new ArrayList<>(lowered(players.niceness()));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx" + players.heap(),
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                "org.jobgate.perf.Main",
                "clients",
                "--url",
                lab.url(),
                "--trust",
                lab.trustDirectory().toString(),
                "--clients",
                Integer.toString(players.number()),
                "--rate",
                Double.toString(players.rate()),
                "--first-address",
                Integer.toString(players.firstAddress())));
        players.proxies().forEach(proxy -> command.addAll(List.of("--proxy", proxy.toString())));
        players.jobs().forEach(job -> command.addAll(List.of("--job", job)));
        if (players.srm() != null) {
            command.addAll(List.of("--srm", players.srm()));
        }
        return command;
    }

    /** Why clients could not connect, and how many. */
    Map<String, Long> refused() {
        return refused;
    }

    /** They ask from now on. */
    void begin() throws IOException {
        order(ClientLoop.BEGIN);
    }

    /** They stop, and what they asked last is waited for. */
    Told end() throws IOException {
        order(ClientLoop.END);
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the process of the clients has ended");
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
