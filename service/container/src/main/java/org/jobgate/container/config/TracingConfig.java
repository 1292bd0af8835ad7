// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where traces of requests and jobs go. */
@Section(
        "Traces of requests and jobs (OpenTelemetry), for a collector that takes OTLP over HTTP. Off where no endpoint is set.")
public record TracingConfig(
        @Setting(
                description =
                        "`http://HOST:4318/v1/traces` or the like: where the collector takes spans. Nothing waits for it: while it does not answer, spans"
                                + " are thrown away.")
        @Nullable
        String endpoint,

        @Setting(
                description =
                        "PEM file with the authorities of the collector's certificate, where `endpoint` is https; where it is not set, those that Java"
                                + " trusts.")
        @Nullable
        Path trustedCertificates,

        @Setting(
                description =
                        "File whose first line goes with each message as the header `Authorization`, such as `Bearer ...`. Nobody else may be able to"
                                + " read it.")
        @Nullable
        Path authorizationFile,

        @Setting(
                description = "Of how many of 100 jobs and requests traces are made.",
                byDefault = "100",
                min = "1",
                max = "100")
        int percent,

        @Setting(
                description = "How many spans may wait to be sent; what is above that is thrown away.",
                byDefault = "4096",
                min = "512",
                max = "1000000")
        int maxQueued) {

    public TracingConfig {
        if (endpoint != null && !endpoint.matches("https?://[^/@\\s?#]+(/[^@\\s?#]*)?")) {
            throw new IllegalArgumentException(
                    "endpoint must be the address of a collector, such as http://localhost:4318/v1/traces");
        }
        if (endpoint == null && (trustedCertificates != null || authorizationFile != null)) {
            throw new IllegalArgumentException("trustedCertificates and authorizationFile are for an endpoint only");
        }
    }

    /** Whether a collector of traces is configured. */
    public boolean enabled() {
        return endpoint != null;
    }
}
