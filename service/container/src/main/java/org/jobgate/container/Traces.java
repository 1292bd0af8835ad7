// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.TracingConfig;
import org.jobgate.container.http.HttpService;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.trace.JobTraces;
import org.jobgate.container.trace.Tracing;
import org.jobgate.engine.JobEngine;
import org.jobgate.job.Reason;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** Has requests and jobs traced where the site wants that. */
final class Traces {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private Traces() {}

    /** What reads the ends of jobs, not started; absent where nothing is traced. */
    static @Nullable JobTraces open(Base base, JobStore store, JobEngine engine, HttpService http, Metrics metrics) {
        TracingConfig config = base.config().tracing();
        String endpoint = config.endpoint();
        if (endpoint == null) {
            return null;
        }
        Attributes who = Attributes.of(
                AttributeKey.stringKey("service.name"),
                "jobgate",
                AttributeKey.stringKey("service.instance.id"),
                base.config().server().publicName(),
                AttributeKey.stringKey("service.version"),
                Version.current());
        Tracing tracing = base.keep(
                new Tracing(exporter(config, endpoint), who, config.percent(), config.maxQueued(), base.clock()));
        metrics.spans(
                tracing,
                Map.of(
                        "sent", from -> from.counts().sent(),
                        "too_many", from -> from.counts().tooMany(),
                        "refused", from -> from.counts().refused()));
        http.tracedBy(tracing);
        engine.observe(tracing);
        return base.keep(new JobTraces(store, tracing, base.clock()));
    }

    private static SpanExporter exporter(TracingConfig config, String endpoint) {
        OtlpHttpSpanExporterBuilder builder = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint)
                .setConnectTimeout(TIMEOUT)
                .setTimeout(TIMEOUT);
        Path trusted = config.trustedCertificates();
        if (trusted != null) {
            try {
                builder.setTrustedCertificates(Files.readAllBytes(trusted));
            } catch (IOException e) {
                throw refused("trustedCertificates", trusted, "cannot be read: " + Reason.of(e));
            }
        }
        Path authorization = config.authorizationFile();
        if (authorization != null) {
            builder.addHeader("Authorization", firstLine(authorization));
        }
        return builder.build();
    }

    /** What goes into a header as it is: who sends it would else log it as what it cannot send. */
    static String firstLine(Path file) {
        try {
            if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
                throw refused("authorizationFile", file, "others may use it. Run: chmod 600 " + file);
            }
            String line = Files.readString(file, StandardCharsets.ISO_8859_1)
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip();
            if (!line.matches("[\\x20-\\x7e]+")) {
                throw refused(
                        "authorizationFile",
                        file,
                        "its first line is empty or holds bytes that are no plain characters. Write what the collector"
                                + " wants in the header Authorization there, such as Bearer and a token.");
            }
            return line;
        } catch (IOException e) {
            throw refused("authorizationFile", file, "cannot be read: " + Reason.of(e));
        }
    }

    private static ConfigurationException refused(String setting, Path file, String why) {
        return new ConfigurationException(List.of("tracing." + setting + " = " + file + ": " + why));
    }
}
