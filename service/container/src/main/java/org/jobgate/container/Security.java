// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import org.jobgate.container.config.ServerConfig;
import org.jobgate.container.health.Health;
import org.jobgate.container.http.HttpService;
import org.jobgate.container.metrics.Metrics;
import org.jobgate.container.signin.SignIn;
import org.jobgate.container.tls.ChainValidator;
import org.jobgate.container.tls.HostCredential;
import org.jobgate.container.tls.RefusalLog;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.delegation.token.HttpsKeyFetch;
import org.jobgate.delegation.token.TokenValidator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** By what the service proves who it is, and finds out who others are. */
record Security(
        HostCredential host,
        ChainValidator validator,
        RefusalLog refusals,
        TlsContexts tls,
        TokenValidator tokens,
        @Nullable SignIn signIn) {

    private static final Logger LOG = LoggerFactory.getLogger(Security.class);

    static Security make(Base base) {
        ServerConfig server = base.config().server();
        HostCredential host = HostCredential.load(
                server.hostCertificate(),
                server.hostKey(),
                base.config().credentials().minRsaBits());
        host.warning(base.clock()).ifPresent(LOG::warn);
        RefusalLog refusals = new RefusalLog(System::nanoTime);
        ChainValidator validator =
                base.keep(new ChainValidator(server, base.config().credentials(), refusals, base.clock()));
        TlsContexts tls = new TlsContexts(host, validator, refusals);
        HttpsKeyFetch fetch = base.keep(Tokens.fetch(base.config().tokens(), tls, base.ports()));
        TokenValidator tokens = Tokens.validator(base.config(), fetch, base.clock());
        return new Security(host, validator, refusals, tls, tokens, Tokens.signIn(base, fetch));
    }

    /** With what requests are met. */
    HttpService.Parts http(Base base, Health health, Metrics metrics) {
        return new HttpService.Parts(
                tls.forServer(base.config().server().sessionLifetime()),
                validator,
                tokens,
                signIn,
                refusals,
                health,
                metrics,
                base.clock(),
                base.random());
    }
}
