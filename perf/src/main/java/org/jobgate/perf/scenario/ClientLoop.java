// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.GramMessages;
import org.jobgate.perf.wire.HttpsConnection;
import org.jobgate.perf.wire.Tls;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * The process of {@link ClientProcess}: clients that ask for the state of a job or list a directory by srmLs, at a steady rate or as fast as they are answered, whenever
 * they are told to. It reads {@code begin} and {@code end} from its input, one a line, and writes a line of JSON when all clients have tried
 * to connect (how many could not, by reason), and one with what came of it after each {@code end}.
 */
@Command(name = "clients", hidden = true, description = "clients of bestman in a process of their own; started by it")
public final class ClientLoop implements Callable<Integer> {

    static final String BEGIN = "begin";
    static final String END = "end";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofHours(1);

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final PrintStream ANSWERS = System.out;

    @Option(names = "--url", required = true)
    URI url = URI.create("https://localhost");

    /** One for each user. */
    @Option(names = "--proxy", required = true)
    List<Path> proxies = new ArrayList<>();

    @Option(names = "--trust", required = true)
    Path trust = Path.of("");

    /** One for each user. */
    @Option(names = "--job", required = true)
    List<String> jobs = new ArrayList<>();

    /** The directory that they have the storage resource manager list, instead of asking for the state of a job. */
    @Option(names = "--srm")
    @Nullable
    String srm;

    @Option(names = "--clients", required = true)
    int clients;

    /** Requests per second of all clients together; 0: as fast as they are answered. */
    @Option(names = "--rate", required = true)
    double rate;

    /** The number of the first one's loopback address. */
    @Option(names = "--first-address", required = true)
    int firstAddress;

    @Override
    public Integer call() throws IOException, GeneralSecurityException, InterruptedException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<GramClient> connected = connections();
        Crowd crowd = new Crowd(IntStream.range(0, clients)
                .mapToObj(i -> client(connected.get(i), jobs.get(i % jobs.size())))
                .toList());
        answer(JSON.writeValueAsString(crowd.connect().counts()));
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Run run = null;
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                run = obey(order, run, crowd, thread);
            }
            if (run != null) {
                run.pace.end();
            }
        }
        for (GramClient client : connected) {
            try {
                client.close();
            } catch (IOException closedByTheServer) {
                // it has refused this one
            }
        }
        return 0;
    }

    private Crowd.Client client(GramClient client, String job) {
        String directory = srm;
        if (directory == null) {
            return () -> client.view(job);
        }
        String asked = Listed.request(directory);
        return () -> Listed.ask(client.connection(), asked);
    }

    private @Nullable Run obey(String order, @Nullable Run run, Crowd crowd, ExecutorService thread)
            throws InterruptedException {
        if (order.equals(BEGIN) && run == null) {
            Pace pace =
                    rate > 0 ? Pace.openLoop(LONGEST, Long.MAX_VALUE, rate) : Pace.closedLoop(LONGEST, Long.MAX_VALUE);
            return new Run(pace, thread.submit(() -> crowd.loop(pace)));
        }
        if (order.equals(END) && run != null) {
            run.pace.end();
            answer(JSON.writeValueAsString(told(run)));
            return null;
        }
        throw new IllegalStateException("not understood: " + order);
    }

    private static ClientProcess.Told told(Run run) throws InterruptedException {
        try {
            Crowd.Outcome outcome = run.outcome.get();
            return new ClientProcess.Told(
                    outcome.perSecondInTime(),
                    outcome.latencies().percentiles(),
                    outcome.refused().counts());
        } catch (ExecutionException e) {
            throw new IllegalStateException("the clients broke: " + e.getCause(), e);
        }
    }

    private List<GramClient> connections() throws IOException, GeneralSecurityException {
        List<SSLContext> users = new ArrayList<>();
        for (Path proxy : proxies) {
            users.add(Tls.context(Credential.read(proxy), trust));
        }
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort());
        List<GramClient> made = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            HttpsConnection connection = new HttpsConnection(
                    users.get(i % users.size()), requireNonNull(url.getHost(), "no host"), address, REQUEST_TIMEOUT);
            // the first ones wait until the last of thousands has connected
            connection.from(Clients.address(firstAddress + i)).idleFor(LONGEST);
            made.add(new GramClient(connection, new GramMessages(url.toString(), "Fork", UUID::randomUUID)));
        }
        return made;
    }

    private static void answer(String line) {
        ANSWERS.println(line);
        ANSWERS.flush();
    }

    private record Run(Pace pace, Future<Crowd.Outcome> outcome) {}
}
