// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.TokenIssuerConfig;
import org.jobgate.container.health.Health;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.signin.SignIn;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.container.tls.TestPki;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.delegation.token.HttpsKeyFetch;
import org.jobgate.delegation.token.TokenIssuer;
import org.jobgate.delegation.token.TokenProfile;
import org.jobgate.delegation.token.TokenSettings;
import org.jobgate.delegation.token.TokenValidator;
import org.jobgate.door.FrontDoor;
import org.jobgate.soap.MessageGuards;
import org.jspecify.annotations.Nullable;

/** The HTTPS service with one SOAP service behind, which says who the caller is. */
final class TrialGate implements AutoCloseable {

    static final String WHO = "/wsrf/services/WhoAmI";
    static final String ASK =
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><ask/></s:Body></s:Envelope>";

    /** However slow the machine is. */
    static final Duration KEY_FETCH = Duration.ofMinutes(1);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final HttpService service;
    private final Metrics metrics;

    /** @param settings sections of the configuration beside {@code server}; the trust directory is {@code trust} in the folder */
    static TrialGate start(Path folder, TestPki.Credential host, String settings, FrontDoor... doors)
            throws IOException {
        return start(folder, host, settings, KEY_FETCH, doors);
    }

    /** @param keyFetch how long an issuer of tokens may take to answer */
    static TrialGate start(Path folder, TestPki.Credential host, String settings, Duration keyFetch, FrontDoor... doors)
            throws IOException {
        TestPki.write(folder.resolve("cert.pem"), (Object[]) host.chain());
        TestPki.write(folder.resolve("key.pem"), new JcaPKCS8Generator(host.key(), null));
        Path file = folder.resolve("gate.yaml");
        String server = settings.contains("server:")
                ? ""
                : "server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 2s }\n";
        Files.writeString(file, server + settings);
        return new TrialGate(ConfigurationFile.read(file, Map.of()), keyFetch, List.of(doors));
    }

    private TrialGate(JobgateConfig config, Duration keyFetch, List<FrontDoor> doors) {
        // each refusal is due again: time runs
        AtomicLong time = new AtomicLong();
        RefusalLog refusals =
                new RefusalLog(() -> time.addAndGet(Duration.ofMinutes(20).toNanos()));
        ChainValidator validator =
                keep(new ChainValidator(config.server(), config.credentials(), refusals, Clock.systemUTC()));
        TlsContexts tls = new TlsContexts(
                HostCredential.load(
                        config.server().hostCertificate(),
                        config.server().hostKey(),
                        config.credentials().minRsaBits()),
                validator,
                refusals);
        SoapServlets soap = keep(new SoapServlets(MessageGuards.NONE));
        this.metrics = keep(new Metrics());
        Health health =
                new Health(Map.of(), () -> false, keep(Executors.newVirtualThreadPerTaskExecutor()), System::nanoTime);
        HttpsKeyFetch fetch = keep(new HttpsKeyFetch(tls.forReading(), Destinations.ofSite(new OwnPorts()), keyFetch));
        this.service = keep(new HttpService(
                config,
                new HttpService.Parts(
                        tls.forServer(config.server().sessionLifetime()),
                        validator,
                        tokens(config, fetch),
                        signIn(config, fetch),
                        refusals,
                        health,
                        metrics,
                        Clock.systemUTC(),
                        new SecureRandom())));
        service.open();
        List<FrontDoor> all = new ArrayList<>(doors);
        all.add(new WhoDoor(config, new CountDownLatch(0)));
        service.mount(all, soap);
        service.start();
    }

    private static TokenValidator tokens(JobgateConfig config, HttpsKeyFetch fetch) {
        List<TokenIssuer> issuers =
                config.tokenIssuers().stream().map(TrialGate::issuer).toList();
        return new TokenValidator(issuers, settings(config), fetch, Clock.systemUTC());
    }

    private static @Nullable SignIn signIn(JobgateConfig config, HttpsKeyFetch fetch) {
        String name = config.signIn().issuer();
        return name == null
                ? null
                : SignIn.of(
                        config.signIn(),
                        new TokenIssuer(name, TokenProfile.PLAIN, null, List.of()),
                        settings(config),
                        fetch,
                        new SecureRandom(),
                        Clock.systemUTC());
    }

    private static TokenSettings settings(JobgateConfig config) {
        return new TokenSettings(
                List.of("gate"),
                true,
                config.tokens().requiredScopes(),
                12_288,
                Duration.ofDays(1),
                Duration.ofMinutes(1),
                config.tokens().keysFresh(),
                config.tokens().keysGrace(),
                config.tokens().keysPause());
    }

    private static TokenIssuer issuer(TokenIssuerConfig config) {
        URI keys = config.keysFile() != null
                ? config.keysFile().toUri()
                : config.keysUrl() == null ? null : URI.create(config.keysUrl());
        return new TokenIssuer(
                config.issuer(), TokenProfile.valueOf(config.profile().name()), keys, config.groups());
    }

    /** A client that shows the credential, or none, and believes any server. */
    static HttpClient client(TestPki.@Nullable Credential credential) {
        return HttpClient.newBuilder()
                .sslContext(TestPki.client(credential))
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(30))
                .build();
    }

    /** What the service counts, in Prometheus' form. */
    String metrics() {
        return metrics.scrape();
    }

    List<Integer> ports() {
        return service.ports();
    }

    private <T extends AutoCloseable> T keep(T part) {
        open.add(part);
        return part;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable part : open.reversed()) {
            part.close();
        }
    }
}
