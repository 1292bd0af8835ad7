// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.jobgate.perf.gateway.Gateway;
import org.jobgate.perf.gateway.Lab;
import org.jobgate.perf.report.Budget;
import org.jobgate.perf.report.Report;
import org.jobgate.perf.report.Spread;
import org.jobgate.perf.wire.Credential;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.ProxySigner;
import org.jobgate.perf.wire.RefusedException;
import org.jobgate.perf.wire.Tls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Processor time of the service for a new connection of a client with a proxy of the second level, and one authorized request on it. The
 * same request on a connection that stays open alternates with it, and is taken off: what is left is the handshake.
 */
@Command(
        name = "handshake",
        description = "the service's processor time for a TLS handshake with a proxy, full and resumed")
public final class Handshake extends Scenario {

    private static final double BUDGET_MS = 6;

    /** With a host key that costs the service least. */
    private static final double BUDGET_ECDSA_MS = 2.5;

    private static final String RSA = "rsa";
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final int KEY_BITS = 2048;

    @Option(
            names = "--count",
            defaultValue = "200",
            description = "connections of each kind in a run (default: ${DEFAULT-VALUE})")
    int count;

    @Option(
            names = "--host-key",
            split = ",",
            defaultValue = "rsa,ecdsa",
            description =
                    "rsa, ecdsa or both, one after another: the kind of the service's own key (default: ${DEFAULT-VALUE})")
    List<String> hostKeys = new ArrayList<>();

    @Mixin
    Runs runs = new Runs();

    /** How the request comes. */
    private enum Kind {
        OPEN("on an open connection"),
        RESUMED("new connection, session resumed"),
        KNOWN("full handshake, chain seen before"),
        NEW("full handshake, chain never seen");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /** With default options. */
    public Handshake() {
        super("handshake");
    }

    @Override
    void checkOptions() {
        require(
                hostKeys.stream().allMatch(kind -> kind.equals(RSA) || kind.equals("ecdsa")),
                "--host-key wants rsa, ecdsa or both, and has " + hostKeys);
    }

    @Override
    boolean measure(Lab lab, Gateway gateway, Report report)
            throws IOException, InterruptedException, GeneralSecurityException, RefusedException {
        for (String hostKey : hostKeys) {
            if (gateway.pid().isPresent()) {
                gateway.stop();
            }
            lab.makeHost(hostKey);
            gateway.start();
            measure(lab, gateway, report, hostKey);
        }
        report.put("count", count).put("warmup_runs", runs.warmup).put("chain", "user, proxy, proxy; RSA " + KEY_BITS);
        return true;
    }

    private void measure(Lab lab, Gateway gateway, Report report, String hostKey)
            throws IOException, GeneralSecurityException, RefusedException {
        Callers callers = new Callers(lab);
        String job;
        try (GramClient client = lab.client(callers.context(callers.known()))) {
            job = client.create(new JobRequest(
                    UUID.randomUUID().toString(),
                    "/bin/true",
                    List.of(),
                    Instant.now().plus(Duration.ofHours(2)),
                    "Pending"));
        }
        Map<Kind, List<Double>> figures = new EnumMap<>(Kind.class);
        for (int run = -runs.warmup; run < runs.repeat; run++) {
            for (Kind kind : Kind.values()) {
                double ms = once(lab, gateway, callers, job, kind);
                if (run >= 0) {
                    figures.computeIfAbsent(kind, unused -> new ArrayList<>()).add(ms);
                }
            }
            progress(hostKey + ": run " + (run + 1) + " done");
        }
        report(report, figures, hostKey);
        try (GramClient client = lab.client(callers.context(callers.known()))) {
            client.destroy(job);
        }
    }

    private double once(Lab lab, Gateway gateway, Callers callers, String job, Kind kind)
            throws IOException, GeneralSecurityException, RefusedException {
        List<SSLContext> contexts = callers.contexts(kind, count);
        // of this run: the service ends connections that rest as long as the other kinds take
        try (GramClient open = lab.client(callers.context(callers.known()))) {
            open.view(job);
            double before = gateway.figures().cpuSeconds();
            for (SSLContext context : contexts) {
                if (kind == Kind.OPEN) {
                    open.view(job);
                    continue;
                }
                try (GramClient client = lab.client(context)) {
                    client.view(job);
                }
            }
            return 1_000 * (gateway.figures().cpuSeconds() - before) / count;
        }
    }

    private void report(Report report, Map<Kind, List<Double>> figures, String hostKey) {
        boolean isRsa = hostKey.equals(RSA);
        String key = isRsa ? "" : "_" + hostKey;
        String host = ", host key " + hostKey;
        List<Double> floor = figures.getOrDefault(Kind.OPEN, List.of());
        for (Kind kind : Kind.values()) {
            List<Double> all = figures.getOrDefault(kind, List.of());
            report.spread(
                    "server_cpu_ms_" + kind.name().toLowerCase(Locale.ROOT) + key,
                    Spread.of(all),
                    "server CPU for a request, ms: " + kind.label + host);
            if (kind != Kind.OPEN) {
                List<Double> handshakes = new ArrayList<>();
                for (int i = 0; i < all.size(); i++) {
                    handshakes.add(all.get(i) - floor.get(i));
                }
                report.spread(
                        "server_cpu_ms_handshake_" + kind.name().toLowerCase(Locale.ROOT) + key,
                        Spread.of(handshakes),
                        "  of that the handshake, ms",
                        budget(kind, isRsa));
            }
        }
    }

    private static Budget budget(Kind kind, boolean isRsa) {
        if (kind == Kind.RESUMED) {
            return Budget.NONE;
        }
        if (isRsa) {
            return kind == Kind.NEW ? Budget.atMost(BUDGET_MS) : Budget.NONE;
        }
        return Budget.atMost(BUDGET_ECDSA_MS);
    }

    /** Makes proxies of the lab's proxy, all over one key, which costs the service no less. */
    private static final class Callers {
        private final Lab lab;
        private final ProxySigner signer;
        private final KeyPair keys;
        private final Credential known;
        private final SSLContext resuming;

        Callers(Lab lab) throws IOException, GeneralSecurityException {
            this.lab = lab;
            this.signer = lab.signer();
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            this.keys = generator.generateKeyPair();
            this.known = next();
            this.resuming = context(known);
        }

        Credential known() {
            return known;
        }

        Credential next() throws IOException, GeneralSecurityException {
            return new Credential(signer.sign(keys.getPublic(), LIFETIME), keys.getPrivate());
        }

        SSLContext context(Credential credential) throws IOException, GeneralSecurityException {
            return Tls.context(credential, lab.trustDirectory());
        }

        /** A context of its own has no session to resume. */
        List<SSLContext> contexts(Kind kind, int count) throws IOException, GeneralSecurityException {
            List<SSLContext> contexts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                contexts.add(
                        switch (kind) {
                            case OPEN, RESUMED -> resuming;
                            case KNOWN -> context(known);
                            case NEW -> context(next());
                        });
            }
            return contexts;
        }
    }
}
