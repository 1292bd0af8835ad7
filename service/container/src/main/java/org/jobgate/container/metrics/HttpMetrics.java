// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The HTTPS connector: its load, its requests, its failed handshakes. */
public final class HttpMetrics {

    private final MeterRegistry registry;

    /** To find a timer by its name and tags in the registry costs more than what it then does. */
    private final ConcurrentMap<Answer, Timer> answers = new ConcurrentHashMap<>();

    private record Answer(String door, int status) {}

    /**
     * How much there is to do now; asked when somebody looks.
     *
     * @param requests being worked on, or waiting for a change
     * @param waitingRequests for their turn
     * @param waitingHandshakes for their turn
     * @param bodyBytes of requests being worked on
     */
    public record Load(
            IntSupplier connections,
            IntSupplier requests,
            IntSupplier waitingRequests,
            IntSupplier waitingHandshakes,
            LongSupplier bodyBytes) {}

    HttpMetrics(MeterRegistry registry, Load load) {
        this.registry = requireNonNull(registry, "registry is null");
        Gauge.builder("jobgate.http.connections", load.connections(), IntSupplier::getAsInt)
                .description("Open connections")
                .strongReference(true)
                .register(registry);
        Gauge.builder("jobgate.http.active", load.requests(), IntSupplier::getAsInt)
                .description("Requests being worked on, or waiting for a change")
                .strongReference(true)
                .register(registry);
        waiting(registry, "requests", load.waitingRequests());
        waiting(registry, "handshakes", load.waitingHandshakes());
        Gauge.builder("jobgate.http.body.bytes", load.bodyBytes(), LongSupplier::getAsLong)
                .description("Bytes of the bodies of requests being worked on")
                .strongReference(true)
                .register(registry);
    }

    private static void waiting(MeterRegistry registry, String what, IntSupplier number) {
        Gauge.builder("jobgate.http.waiting", number, IntSupplier::getAsInt)
                .tag("what", what)
                .description("Connections with something to read that wait for their turn")
                .strongReference(true)
                .register(registry);
    }

    /**
     * A request was answered, or its client went away.
     *
     * @param door what was asked; of a bounded number of names
     */
    public void requestDone(String door, int status, Duration took) {
        answers.computeIfAbsent(new Answer(door, status), this::timer).record(took);
    }

    private Timer timer(Answer answer) {
        return Timer.builder("jobgate.http.requests")
                .tags("door", answer.door(), "status", Integer.toString(answer.status()))
                .description("From the parsed request head to the end of the response")
                .serviceLevelObjectives(Metrics.BOUNDS)
                .register(registry);
    }

    /** A TLS handshake failed. */
    public void handshakeFailed(Throwable failure) {
        Counter.builder("jobgate.tls.handshakes.failed")
                .tag("reason", reason(failure))
                .description("TLS handshakes that failed")
                .register(registry)
                .increment();
    }

    private static String reason(Throwable failure) {
        CertificateException refusal = certificateProblem(failure);
        if (refusal != null) {
            return String.valueOf(refusal.getMessage()).contains("expired") ? "expired" : "certificate";
        }
        return failure instanceof SSLException ? "protocol" : "connection";
    }

    private static @Nullable CertificateException certificateProblem(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 10; depth++) {
            if (cause instanceof CertificateException problem) {
                return problem;
            }
            cause = cause.getCause();
        }
        return null;
    }
}
