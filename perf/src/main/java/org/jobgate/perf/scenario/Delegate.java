// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.gateway.ProcessFigures;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.ProxySigner;
import org.jobgate.perf.wire.RefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How many credentials can be delegated in a second: two requests each, as GT 4's clients do it (the key is read, the signed chain is
 * sent), each stored on disk before its answer. The signatures of the clients, which share the machine, alternate with it as floor.
 */
@Command(name = "delegate", description = "GT 4 delegations per second on N keep-alive connections")
public final class Delegate extends Scenario {

    private static final double BUDGET = 200;
    private static final Duration LIFETIME = Duration.ofHours(2);

    @Option(names = "--connections", defaultValue = "8", description = "how many (default: ${DEFAULT-VALUE})")
    int connections;

    @Option(names = "--seconds", defaultValue = "3", description = "length of one run (default: ${DEFAULT-VALUE})")
    int seconds;

    @Mixin
    Runs runs = new Runs();

    /** With default options. */
    public Delegate() {
        super("delegate");
    }

    /** One run. */
    private record Run(double perSecond, double serverMs, double clientMs, double signaturesPerSecond) {}

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException {
        gateway.start();
        PrivateKey key = Credential.read(lab.proxy()).key();
        ProxySigner signer = lab.signer();
        SSLContext tls = lab.tls();
        List<GramClient> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
            for (int i = 0; i < connections; i++) {
                clients.add(lab.client(tls));
            }
            List<Run> counted = new ArrayList<>();
            for (int i = -runs.warmup; i < runs.repeat; i++) {
                Run run = once(gateway, key, signer, clients, threads);
                progress("run " + (i + 1) + ": " + Spread.show(run.perSecond()) + " delegations/s");
                if (i >= 0) {
                    counted.add(run);
                }
            }
            report(report, counted);
        } finally {
            for (GramClient client : clients) {
                client.close();
            }
        }
        return true;
    }

    private Run once(
            Gateway gateway, PrivateKey key, ProxySigner signer, List<GramClient> clients, ExecutorService threads)
            throws IOException, InterruptedException {
        Rate signatures = rate(threads, clients, client -> sign(key));
        double serverBefore = gateway.figures().cpuSeconds();
        double clientBefore = ProcessFigures.ofThis().cpuSeconds();
        Rate delegations = rate(threads, clients, client -> client.delegate(signer, LIFETIME));
        double server = gateway.figures().cpuSeconds() - serverBefore;
        double client = ProcessFigures.ofThis().cpuSeconds() - clientBefore;
        return new Run(
                delegations.perSecond(),
                1_000 * server / delegations.acts(),
                1_000 * client / delegations.acts(),
                signatures.perSecond());
    }

    /** How often something was done. */
    private record Rate(int acts, double perSecond) {}

    private static void sign(PrivateKey key) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(new byte[1_000]);
        requireNonNull(signature.sign());
    }

    /** What one client does again and again. */
    private interface Act {
        void act(GramClient client) throws IOException, GeneralSecurityException, RefusedException;
    }

    /** All clients at once, for the seconds of a run; how many acts there were per second. */
    private Rate rate(ExecutorService threads, List<GramClient> clients, Act act)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long end = begin + Duration.ofSeconds(seconds).toNanos();
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (GramClient client : clients) {
            tasks.add(() -> {
                int acts = 0;
                while (System.nanoTime() < end) {
                    act.act(client);
                    acts++;
                }
                return acts;
            });
        }
        int all = 0;
        for (Future<Integer> done : threads.invokeAll(tasks)) {
            try {
                all += done.get();
            } catch (ExecutionException e) {
                throw new IOException("a client failed: " + e.getCause(), e);
            }
        }
        return new Rate(all, all / ((System.nanoTime() - begin) / 1e9));
    }

    private void report(Report report, List<Run> all) {
        report.spread(
                        "delegations_per_second",
                        Spread.of(all.stream().map(Run::perSecond).toList()),
                        "delegations per second",
                        connections == 8 ? Budget.atLeast(BUDGET) : Budget.NONE)
                .spread(
                        "server_cpu_ms",
                        Spread.of(all.stream().map(Run::serverMs).toList()),
                        "server CPU for a delegation, ms")
                .spread(
                        "client_cpu_ms",
                        Spread.of(all.stream().map(Run::clientMs).toList()),
                        "load client's CPU for a delegation, ms")
                .spread(
                        "signatures_per_second",
                        Spread.of(all.stream().map(Run::signaturesPerSecond).toList()),
                        "floor: RSA 2048 signatures per second")
                .put("connections", connections)
                .put("seconds", seconds);
    }
}
