// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jobgate.delegation.token.HttpsKeyFetch;
import org.jobgate.job.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The issuer by which users sign in: where its pages are (OpenID Connect Discovery 1.0), and what it gives for a code (RFC 6749 section 4.1.3). */
final class Issuer {

    private static final Logger LOG = LoggerFactory.getLogger(Issuer.class);
    private static final JsonMapper JSON = new JsonMapper();
    private static final int LONGEST_ERROR = 64;

    private final String name;
    private final String clientId;
    private final ClientSecret secret;
    private final HttpsKeyFetch http;
    private final Duration fresh;
    private final Duration pause;
    private final Clock clock;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable Looked looked;
    private @Nullable Instant triedAt;
    private volatile @Nullable Instant warnedAt;

    /**
     * Asks nobody yet.
     *
     * @param fresh for how long what the issuer says of itself is used before it is asked again
     * @param pause the least time between two tries to ask it
     */
    Issuer(
            String name,
            String clientId,
            ClientSecret secret,
            HttpsKeyFetch http,
            Duration fresh,
            Duration pause,
            Clock clock) {
        this.name = requireNonNull(name, "name is null");
        this.clientId = requireNonNull(clientId, "clientId is null");
        this.secret = requireNonNull(secret, "secret is null");
        this.http = requireNonNull(http, "http is null");
        this.fresh = requireNonNull(fresh, "fresh is null");
        this.pause = requireNonNull(pause, "pause is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    private record Looked(Metadata metadata, Instant at) {}

    /** @param inForm whether the issuer wants the secret in the form and not in a header */
    private record Metadata(URI authorization, URI token, boolean inForm) {}

    /**
     * What a code was good for.
     *
     * @param scope as the issuer says what it has granted; absent where that is what was asked for (RFC 6749 section 5.1)
     */
    record Redeemed(String idToken, @Nullable String scope) {}

    String name() {
        return name;
    }

    /** The page of the issuer to which a browser is sent, with what it is to be told. */
    URI page(Map<String, String> parameters) throws SignInException {
        URI page = metadata().authorization();
        return URI.create(page + (page.getRawQuery() == null ? "?" : "&") + form(parameters));
    }

    /**
     * Gives the issuer a code.
     *
     * @param redirect the same that the sign-in was begun with
     * @param verifier of PKCE
     */
    Redeemed redeem(String code, String redirect, String verifier) throws SignInException {
        Metadata metadata = metadata();
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("code", code);
        parameters.put("redirect_uri", redirect);
        parameters.put("code_verifier", verifier);
        JsonNode answer;
        try {
            String known = secret.read();
            String authorization = null;
            if (metadata.inForm()) {
                parameters.put("client_id", clientId);
                parameters.put("client_secret", known);
            } else {
                authorization = "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (encoded(clientId) + ":" + encoded(known)).getBytes(StandardCharsets.UTF_8));
            }
            answer = JSON.readTree(http.post(metadata.token(), form(parameters), authorization));
        } catch (IOException e) {
            throw unavailable(Reason.of(e));
        } catch (JacksonException e) {
            throw unavailable("its answer is no JSON");
        }
        JsonNode error = answer.get("error");
        if (error != null) {
            LOG.warn("The issuer {} does not take a code: {}", name, word(error.asString("")));
            throw new SignInException(
                    403,
                    "SIGNIN_REFUSED",
                    "The issuer does not take the code that the browser brought: " + word(error.asString("")) + ".",
                    "Sign in again. If that does not help, the site's administrator finds more in the log.");
        }
        String idToken = text(answer, "id_token");
        if (idToken == null) {
            throw unavailable("its answer holds no id_token");
        }
        return new Redeemed(idToken, text(answer, "scope"));
    }

    /** What an issuer or a browser calls an error, so that it can stand in a sentence. */
    static String word(String said) {
        String plain = said.replaceAll("[^A-Za-z0-9_. -]", "?");
        return plain.isBlank() ? "it gives no reason" : plain.substring(0, Math.min(plain.length(), LONGEST_ERROR));
    }

    private static @Nullable String text(JsonNode object, String name) {
        JsonNode value = object.get(name);
        return value != null && value.isString() ? value.asString() : null;
    }

    /** What is known is used until it is old; then one request asks, and the others use what is known meanwhile. */
    private Metadata metadata() throws SignInException {
        Looked before = looked;
        if (before != null && isFresh(before)) {
            return before.metadata();
        }
        if (before == null) {
            asking.lock();
        } else if (!asking.tryLock()) {
            return before.metadata();
        }
        try {
            return asked();
        } finally {
            asking.unlock();
        }
    }

    private boolean isFresh(Looked before) {
        return clock.instant().isBefore(before.at().plus(fresh));
    }

    private Metadata asked() throws SignInException {
        Looked before = looked;
        Instant now = clock.instant();
        Instant last = triedAt;
        boolean isPause = last != null && now.isBefore(last.plus(pause));
        if (before != null && (isPause || isFresh(before))) {
            return before.metadata();
        }
        if (isPause) {
            throw unavailable("it gave no good answer a moment ago");
        }
        triedAt = now;
        try {
            String base = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
            Metadata found = read(JSON.readTree(http.fetch(URI.create(base + "/.well-known/openid-configuration"))));
            looked = new Looked(found, now);
            return found;
        } catch (IOException | JacksonException | IllegalArgumentException e) {
            if (before != null) {
                LOG.warn(
                        "The issuer {} does not say where its pages are; those of before are used: {}",
                        name,
                        Reason.of(e));
                return before.metadata();
            }
            throw unavailable(e instanceof JacksonException ? "its answer is no JSON" : Reason.of(e));
        }
    }

    private Metadata read(JsonNode said) throws IOException {
        if (!name.equals(text(said, "issuer"))) {
            throw new IOException("its metadata name another issuer");
        }
        List<String> challenges = texts(said.get("code_challenge_methods_supported"));
        if (!challenges.isEmpty() && !challenges.contains("S256")) {
            throw new IOException("it does not know PKCE with S256");
        }
        List<String> methods = texts(said.get("token_endpoint_auth_methods_supported"));
        boolean inForm = !methods.contains("client_secret_basic") && methods.contains("client_secret_post");
        return new Metadata(address(said, "authorization_endpoint"), address(said, "token_endpoint"), inForm);
    }

    private static List<String> texts(@Nullable JsonNode list) {
        return list == null
                ? List.of()
                : list.valueStream()
                        .filter(JsonNode::isString)
                        .map(JsonNode::asString)
                        .toList();
    }

    private static URI address(JsonNode said, String name) throws IOException {
        String text = text(said, name);
        URI address = text == null ? null : URI.create(text);
        if (address == null
                || !"https".equals(address.getScheme())
                || address.getHost() == null
                || address.getRawFragment() != null) {
            throw new IOException("its metadata name no https address as " + name);
        }
        return address;
    }

    /** Strangers can have this said as often as they ask, so the log has it once in each pause. */
    private SignInException unavailable(String why) {
        Instant now = clock.instant();
        Instant last = warnedAt;
        if (last == null || !now.isBefore(last.plus(pause))) {
            warnedAt = now;
            LOG.warn("Nobody can sign in by the issuer {}: {}", name, why);
        }
        return new SignInException(
                503,
                "SIGNIN_UNAVAILABLE",
                "The issuer by which one signs in here cannot be used now.",
                "Try again in some minutes, or use a certificate.");
    }

    private static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
