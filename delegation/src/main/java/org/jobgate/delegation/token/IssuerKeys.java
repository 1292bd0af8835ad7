// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.token;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one issuer, fetched when first needed. They are used as long as they are fresh; after that they are fetched again, and
 * while that fails the old ones serve on for the grace. A token with a key that is not known makes them be fetched too, but no more often
 * than the pause allows, so that a stranger's tokens cannot make this service hammer the issuer.
 */
final class IssuerKeys implements JWKSetSource<SecurityContext> {

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final Duration FETCH_PATIENCE = Duration.ofSeconds(15);

    private final TokenIssuer issuer;
    private final KeyFetch fetch;

    private IssuerKeys(TokenIssuer issuer, KeyFetch fetch) {
        this.issuer = requireNonNull(issuer, "issuer is null");
        this.fetch = requireNonNull(fetch, "fetch is null");
    }

    static JWKSource<SecurityContext> of(TokenIssuer issuer, KeyFetch fetch, TokenSettings settings) {
        return JWKSourceBuilder.create(new IssuerKeys(issuer, fetch))
                .cache(settings.keysFresh().toMillis(), FETCH_PATIENCE.toMillis())
                .refreshAheadCache(false)
                .rateLimited(settings.keysPause().toMillis())
                .outageTolerant(settings.keysFresh().plus(settings.keysGrace()).toMillis())
                .build();
    }

    @Override
    public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long currentTime, @Nullable SecurityContext context)
            throws KeySourceException {
        try {
            JWKSet keys = JWKSet.parse(fetch.fetch(address()));
            LOG.info("Token issuer {}: {} keys fetched", issuer.name(), keys.size());
            return keys;
        } catch (IOException | ParseException | RuntimeException e) {
            // whatever the parser throws at what a document holds, the keys of before serve on
            LOG.warn("Token issuer {}: its keys cannot be fetched: {}", issuer.name(), Reason.of(e));
            throw new JWKSetUnavailableException("the keys of " + issuer.name() + " cannot be fetched", e);
        }
    }

    /** As OpenID Connect Discovery 1.0 section 4 says, unless the site names the place. */
    private URI address() throws IOException, ParseException {
        URI named = issuer.keys();
        if (named != null) {
            return named;
        }
        String base = issuer.name().endsWith("/")
                ? issuer.name().substring(0, issuer.name().length() - 1)
                : issuer.name();
        Map<String, Object> facts =
                JSONObjectUtils.parse(fetch.fetch(URI.create(base + "/.well-known/openid-configuration")));
        if (!issuer.name().equals(JSONObjectUtils.getString(facts, "issuer"))) {
            throw new IOException("the metadata of " + issuer.name() + " name another issuer");
        }
        URI keys = JSONObjectUtils.getURI(facts, "jwks_uri");
        if (keys == null || !"https".equals(keys.getScheme())) {
            throw new IOException("the metadata of " + issuer.name() + " name no https address of keys");
        }
        return keys;
    }

    @Override
    public void close() {
        // nothing is kept open between two fetches
    }
}
