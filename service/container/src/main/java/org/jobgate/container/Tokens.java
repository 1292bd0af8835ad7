// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jobgate.address.Destinations;
import org.jobgate.address.OwnPorts;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.config.TokenIssuerConfig;
import org.jobgate.container.config.TokensConfig;
import org.jobgate.container.signin.SignIn;
import org.jobgate.container.tls.TlsContexts;
import org.jobgate.delegation.token.HttpsKeyFetch;
import org.jobgate.delegation.token.KeyFetch;
import org.jobgate.delegation.token.KeyFiles;
import org.jobgate.delegation.token.TokenIssuer;
import org.jobgate.delegation.token.TokenProfile;
import org.jobgate.delegation.token.TokenSettings;
import org.jobgate.delegation.token.TokenValidator;
import org.jspecify.annotations.Nullable;

/** What bearer tokens and the ID tokens of those who sign in are held to, by the configuration. */
final class Tokens {

    private Tokens() {}

    static HttpsKeyFetch fetch(TokensConfig config, TlsContexts tls, OwnPorts ports) {
        try {
            SSLContext trust = config.trust() == TokensConfig.Trust.GRID ? tls.forReading() : SSLContext.getDefault();
            return new HttpsKeyFetch(trust, Destinations.ofSite(ports), config.keysTimeout());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no default TLS", e);
        }
    }

    static TokenValidator validator(JobgateConfig config, KeyFetch fetch, Clock clock) {
        List<TokenIssuer> issuers =
                config.tokenIssuers().stream().map(Tokens::issuer).toList();
        return new TokenValidator(issuers, settings(config), fetch, clock);
    }

    /** What is wrong with which file of an issuer's keys, as sentences, by a look at each now. */
    static List<String> badKeyFiles(JobgateConfig config) {
        return config.tokenIssuers().stream()
                .flatMap(issuer -> KeyFiles.trouble(issuer.issuer(), issuer.keysFile()).stream())
                .toList();
    }

    private static TokenIssuer issuer(TokenIssuerConfig config) {
        TokenProfile profile = switch (config.profile()) {
            case WLCG -> TokenProfile.WLCG;
            case SCITOKENS -> TokenProfile.SCITOKENS;
            case PLAIN -> TokenProfile.PLAIN;
        };
        try {
            URI keys = config.keysFile() != null
                    ? config.keysFile().toUri()
                    : config.keysUrl() != null ? URI.create(config.keysUrl()) : null;
            return new TokenIssuer(config.issuer(), profile, keys, config.groups());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("tokenIssuers: " + config.issuer() + ": " + e.getMessage()));
        }
    }

    /** Absent where the site names no issuer by which users sign in. */
    static @Nullable SignIn signIn(Base base, HttpsKeyFetch fetch) {
        JobgateConfig config = base.config();
        String name = config.signIn().issuer();
        if (name == null) {
            return null;
        }
        TokenIssuer issuer = config.tokenIssuers().stream()
                .filter(known -> known.issuer().equals(name))
                .findFirst()
                .map(Tokens::issuer)
                .orElseGet(() -> new TokenIssuer(name, TokenProfile.PLAIN, null, List.of()));
        return SignIn.of(config.signIn(), issuer, settings(config), fetch, base.random(), base.clock());
    }

    private static TokenSettings settings(JobgateConfig config) {
        TokensConfig tokens = config.tokens();
        String host = "https://" + config.server().publicName();
        List<String> audiences = tokens.audiences().isEmpty()
                ? List.of(host + ":" + config.server().port(), host)
                : tokens.audiences();
        return new TokenSettings(
                audiences,
                tokens.anyAudience(),
                tokens.requiredScopes(),
                Math.toIntExact(tokens.maxBytes().bytes()),
                tokens.maxLifetime(),
                tokens.clockSkew(),
                tokens.keysFresh(),
                tokens.keysGrace(),
                tokens.keysPause());
    }
}
