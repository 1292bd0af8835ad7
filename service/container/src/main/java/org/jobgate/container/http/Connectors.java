// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.CredentialsConfig.ClientCertificates;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.metrics.HttpMetrics;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.door.DoorAddresses;

/** Makes the HTTPS connectors, one for each port. */
final class Connectors {

    private static final int ACCEPT_QUEUE = 1024;

    private final JobgateConfig config;
    private final SSLContext tls;
    private final HttpMetrics metrics;
    private final TurnGate gate;
    private final SurplusConnections surplus;
    private final HttpgDelegations delegations;
    private final List<? extends Connection.Listener> listeners;

    Connectors(
            JobgateConfig config,
            SSLContext tls,
            HttpMetrics metrics,
            TurnGate gate,
            SurplusConnections surplus,
            HttpgDelegations delegations,
            List<? extends Connection.Listener> listeners) {
        this.config = requireNonNull(config, "config is null");
        this.tls = requireNonNull(tls, "tls is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
        this.gate = requireNonNull(gate, "gate is null");
        this.surplus = requireNonNull(surplus, "surplus is null");
        this.delegations = requireNonNull(delegations, "delegations is null");
        this.listeners = List.copyOf(listeners);
    }

    ServerConnector make(Server server, PortRules rules) {
        // clients of the storage resource manager speak https or httpg
        HttpConnectionFactory http = rules.servesDoor(config, DoorAddresses.SRM, "/srm")
                ? new HttpgConnections(http(), delegations, rules)
                : new HttpConnectionFactory(http());
        SslConnectionFactory ssl = new SslConnectionFactory(context(rules.certificates()), http.getProtocol());
        ssl.addBean(new HandshakeFailures(metrics));
        ssl.addBean(gate);
        ServerConnector made = new TurnConnector(server, gate, surplus, ssl, http);
        made.setHost(rules.host());
        made.setPort(rules.port());
        made.setIdleTimeout(config.server().idleTimeout().toMillis());
        made.setAcceptQueueSize(ACCEPT_QUEUE);
        made.addBean(rules);
        listeners.forEach(made::addBean);
        return made;
    }

    /**
     * A name of a file may hold a percent sign, a backslash, control characters and bytes that are no UTF-8, each percent-encoded; the doors
     * decode paths themselves, once. What could be read as another path (encoded slashes and dots, empty parts, parameters) stays refused.
     */
    private static final UriCompliance NAMES = UriCompliance.DEFAULT.with(
            "NAMES",
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT, // LeadingSlashes refuses them, all but one
            UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS,
            UriCompliance.Violation.BAD_UTF8_ENCODING,
            UriCompliance.Violation.TRUNCATED_UTF8_ENCODING);

    private HttpConfiguration http() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // Jetty's cache of header fields costs each connection 100 KB of heap: 1500 clients had all of it
        http.setHeaderCacheSize(0);
        http.setRequestHeaderSize(
                Math.toIntExact(config.limits().maxHeaderBytes().bytes()));
        http.setIdleTimeout(config.server().idleTimeout().toMillis());
        http.setUriCompliance(NAMES);
        // clients reach us by whatever name their site gave them, and check ours by the trust directory
        http.addCustomizer(new SecureRequestCustomizer(false));
        http.addCustomizer(new LeadingSlashes());
        return http;
    }

    private SslContextFactory.Server context(ClientCertificates certificates) {
        SslContextFactory.Server factory = new SslContextFactory.Server();
        factory.setSslContext(tls);
        factory.setWantClientAuth(certificates == ClientCertificates.WANT);
        factory.setNeedClientAuth(certificates == ClientCertificates.NEED);
        factory.setIncludeProtocols(TlsContexts.PROTOCOLS.toArray(String[]::new));
        factory.setIncludeCipherSuites(TlsContexts.SUITES.toArray(String[]::new));
        factory.setRenegotiationAllowed(false);
        return factory;
    }

    /**
     * Takes the connector's port.
     *
     * @throws ConfigurationException if the address cannot be had
     */
    static void open(ServerConnector connector) {
        PortRules rules = connector.getBean(PortRules.class);
        try {
            connector.open();
        } catch (IOException e) {
            throw new ConfigurationException(List.of(rules.setting() + " = " + rules.port() + ", host " + rules.host()
                    + ": cannot listen there (" + e.getMessage() + "); is another service using the port?"));
        }
    }

    /** Counts the handshakes that failed. */
    private record HandshakeFailures(HttpMetrics metrics) implements SslHandshakeListener {
        @Override
        public void handshakeFailed(Event event, Throwable failure) {
            metrics.handshakeFailed(failure);
        }
    }
}
