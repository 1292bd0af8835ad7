// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jobgate.access.Access;
import org.jobgate.access.Delegations;
import org.jobgate.authz.Decision;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.container.tls.TestPki;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client that delegates costs before its first request is done when it is its owner's turn, as requests are. */
class HttpgTurnTest {

    private static final TestPki PKI = new TestPki("CN=CA,O=Grid");
    private static final Duration LEASE = Duration.ofHours(1);

    @Test
    void aDelegationBeginsWhenItIsTheTurnOfItsOwner(@TempDir Path folder) throws Exception {
        TestPki.Credential alice = PKI.issue("CN=Alice,O=Grid");
        TestPki.write(folder.resolve("cert.pem"), (Object[]) alice.chain());
        TestPki.write(folder.resolve("key.pem"), alice.key());
        PKI.trustIn(folder.resolve("trust"));
        Path file = folder.resolve("gate.yaml");
        Files.writeString(
                file,
                "server: { port: 0, hostCertificate: cert.pem, hostKey: key.pem, trustDirectory: trust, stopTimeout: 2s }\n");
        JobgateConfig config = ConfigurationFile.read(file, Map.of());
        Turns places = new Turns(1, true, LEASE, System::nanoTime);
        AtomicInteger asked = new AtomicInteger();
        Delegations vault = (Delegations) Proxy.newProxyInstance(
                Delegations.class.getClassLoader(), new Class<?>[] {Delegations.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).startsWith("request");
                    assertThat(places.working()).isOne();
                    asked.incrementAndGet();
                    return new Delegations.Request(String.valueOf(arguments[1]), "none");
                });
        ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler();
        scheduler.start();
        try (ChainValidator validator = new ChainValidator(
                        config.server(), config.credentials(), new RefusalLog(System::nanoTime), Clock.systemUTC());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            TurnGate gate = new TurnGate(
                    places,
                    new Turns(1, false, LEASE, System::nanoTime),
                    4,
                    (session, chain) -> {
                        throw new CertificateException("nobody connects");
                    },
                    threads,
                    scheduler);
            HttpgDelegations delegations = new HttpgDelegations(
                    new CertificateCallers(
                            new SessionCallers(validator, Clock.systemUTC()),
                            config.credentials().limitedProxies(),
                            Clock.systemUTC()),
                    gate);
            delegations.serve(new Access(identity -> new Decision.Permit(List.of("alice"))), vault);
            EndPoint.SslSessionData session = EndPoint.SslSessionData.from(
                    SSLContext.getDefault().createSSLEngine().getSession(), "id", "suite", alice.chain());

            Turns.Turn others = places.enter("owner somebody else", turn -> {});
            Future<HttpgDelegations.Exchange> begun =
                    threads.submit(() -> delegations.begin(session, PortRules.first(config)));
            await().atMost(Duration.ofMinutes(1)).until(() -> gate.waitingRequests() == 1);
            assertThat(asked).hasValue(0);
            others.end();
            begun.get(1, TimeUnit.MINUTES).close();
            assertThat(asked).hasValue(1);
            assertThat(places.working()).as("the place is given back").isZero();
        } finally {
            scheduler.stop();
        }
    }
}
