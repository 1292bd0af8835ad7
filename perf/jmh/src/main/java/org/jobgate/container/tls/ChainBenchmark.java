// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.jmh.Measured;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The validation of a chain: a user's certificate with a proxy of the second level, RSA of 2048 bits. Budget of the whole handshake that it
 * is a part of: 6 ms.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ChainBenchmark extends Measured {

    /** How long a good chain is remembered: not at all, and as the service does by default. */
    @Param({"0s", "1m"})
    String validationCache = "0s";

    private Path folder = Path.of("");
    private X509Certificate[] chain = {};
    private @Nullable ChainValidator validator;

    /** Makes an authority, a user, and two proxies. */
    @Setup
    public void certificates() throws IOException, CertificateException {
        folder = Files.createTempDirectory("jobgate-jmh-");
        TestPki pki = new TestPki("CN=CA,O=Grid");
        pki.trustIn(folder.resolve("trust"));
        TestPki.Credential first = TestPki.proxy(pki.issue("CN=Alice,O=Grid"), options -> {});
        chain = TestPki.proxy(first, options -> {}).chain();
        Path file = Files.writeString(
                folder.resolve("gate.yaml"),
                "server: { trustDirectory: trust, validationCache: " + validationCache + " }\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        validator = new ChainValidator(
                config.server(), config.credentials(), new RefusalLog(System::nanoTime), Clock.systemUTC());
        if (chain.length != 3) {
            throw new IllegalStateException("not a proxy of the second level: " + List.of(chain));
        }
    }

    /** Removes what was made. */
    @TearDown
    public void clean() throws IOException {
        requireNonNull(validator).close();
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Validates the chain and answers its subject; a chain that is not good ends the run. */
    @Benchmark
    public Caller secondLevelProxy() throws CertificateException {
        return requireNonNull(validator).validate(chain);
    }
}
