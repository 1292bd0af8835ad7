// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.DecisionPointConfig;
import org.jobgate.container.config.DecisionPointConfig.Kind;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.doctor.Finding;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.job.Reason;

/** Whether the services that decide can be reached with our certificate, and are believed. Nobody is asked about: an answer may take an account of a pool. */
final class CalloutFindings {

    private static final String AREA = "authorization service";

    private CalloutFindings() {}

    static List<Finding> of(JobgateConfig config, Clock clock) {
        List<DecisionPointConfig> services = config.decisionPoints().stream()
                .filter(point -> point.kind() == Kind.CALLOUT || point.kind() == Kind.XACML)
                .toList();
        List<Finding> findings = new ArrayList<>();
        if (services.isEmpty()) {
            return findings;
        }
        HostCredential host;
        try {
            host = HostCredential.load(
                    config.server().hostCertificate(),
                    config.server().hostKey(),
                    config.credentials().minRsaBits());
        } catch (ConfigurationException e) {
            return findings; // said by the finding on the host certificate
        }
        RefusalLog refusals = new RefusalLog(System::nanoTime);
        try (ChainValidator validator = new ChainValidator(config.server(), config.credentials(), refusals, clock)) {
            TlsContexts tls = new TlsContexts(host, validator, refusals);
            services.forEach(point -> findings.add(look(point, tls)));
        }
        return findings;
    }

    private static Finding look(DecisionPointConfig point, TlsContexts tls) {
        String url = requireNonNull(point.url());
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(tls.forGateway())
                .connectTimeout(point.timeout())
                .build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(point.timeout())
                    .build();
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return Finding.good(
                    AREA,
                    point.shownName() + " (" + url + ") is reached, and is who it should be; HTTP status " + status
                            + " to a GET");
        } catch (IOException | IllegalArgumentException e) {
            return Finding.bad(
                    AREA,
                    point.shownName() + " (" + url + ") is not reached: " + Reason.of(e)
                            + ". Everybody who is asked about there is refused",
                    "see that it runs, that its certificate names its host and is of a trusted authority, and that it lets"
                            + " this host's certificate in");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Finding.bad(AREA, url + " was not looked at", "try again");
        }
    }
}
