// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.container.config.SignInConfig;
import org.jobgate.delegation.token.HttpsKeyFetch;
import org.jobgate.delegation.token.IdTokens;
import org.jobgate.delegation.token.TokenException;
import org.jobgate.delegation.token.TokenIssuer;
import org.jobgate.delegation.token.TokenSettings;
import org.jobgate.identity.Identity;
import org.jobgate.job.Reason;
import org.jobgate.limits.Limit;
import org.jobgate.limits.Places;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs users in by an OpenID Connect issuer: the authorization code flow (OpenID Connect Core 1.0 section 3.1) with PKCE (RFC 7636) by
 * {@code S256}. Who signed in is somebody to the gateway as the bearer of a token of the same issuer would be.
 */
public final class SignIn {

    private static final Logger LOG = LoggerFactory.getLogger(SignIn.class);
    private static final int LONGEST_CODE = 2048;

    /** The status of what the browser brought and the issuer did not take; that the issuer is away is no failure of an address. */
    private static final int FORBIDDEN = 403;

    private static final int MOST_SCOPES = 64;
    private static final String AGAIN = "Sign in again from the console.";

    /** Scopes that say what is told of a user, and nothing of what may be done (OpenID Connect Core 1.0 sections 3.1.2.1, 5.4, 11). */
    private static final Set<String> ABOUT_USERS =
            Set.of("openid", "profile", "email", "address", "phone", "offline_access");

    private final Issuer issuer;
    private final String clientId;
    private final List<String> scopes;
    private final @Nullable String redirect;
    private final IdTokens idTokens;
    private final Sessions sessions;
    private final Places places;
    private final Attempts attempts;
    private final FailedSignIns failures;

    /**
     * Asks nobody yet.
     *
     * @param scopes that are asked for beside {@code openid}
     * @param redirect to which the issuer is to send browsers back; absent: as {@link #begin} is told
     * @param fresh for how long what the issuer says of itself is used before it is asked again
     * @param pause the least time between two tries to ask it
     */
    public record Settings(
            String issuer,
            String clientId,
            ClientSecret secret,
            List<String> scopes,
            @Nullable String redirect,
            Duration fresh,
            Duration pause) {

        public Settings {
            scopes = List.copyOf(scopes);
        }
    }

    /**
     * Asks nobody yet.
     *
     * @param sessions that are begun
     * @param places for sign-ins for which the issuer is being asked, in all and for each address
     * @param random must not be guessable
     */
    public SignIn(
            Settings settings,
            IdTokens idTokens,
            Sessions sessions,
            Places places,
            HttpsKeyFetch http,
            RandomGenerator random,
            Clock clock) {
        this.issuer = new Issuer(
                settings.issuer(),
                settings.clientId(),
                settings.secret(),
                http,
                settings.fresh(),
                settings.pause(),
                clock);
        this.clientId = settings.clientId();
        this.scopes = settings.scopes();
        this.redirect = settings.redirect();
        this.idTokens = requireNonNull(idTokens, "idTokens is null");
        this.sessions = requireNonNull(sessions, "sessions is null");
        this.places = requireNonNull(places, "places is null");
        this.attempts = new Attempts(random, clock);
        this.failures = new FailedSignIns(clock);
    }

    /**
     * As the configuration says, which names an issuer.
     *
     * @param tokens what its ID tokens are held to
     * @throws ConfigurationException the file of the secret cannot be used
     */
    public static SignIn of(
            SignInConfig config,
            TokenIssuer issuer,
            TokenSettings tokens,
            HttpsKeyFetch http,
            RandomGenerator random,
            Clock clock) {
        String clientId = requireNonNull(config.clientId(), "clientId is null");
        ClientSecret secret = new ClientSecret(requireNonNull(config.clientSecretFile(), "clientSecretFile is null"));
        try {
            var unused = secret.read(); // so that the start says what is wrong, and not the first user
        } catch (IOException e) {
            throw new ConfigurationException(List.of("signIn.clientSecretFile: " + Reason.of(e)));
        }
        return new SignIn(
                new Settings(
                        issuer.name(),
                        clientId,
                        secret,
                        config.scopes(),
                        config.redirect(),
                        tokens.keysFresh(),
                        tokens.keysPause()),
                new IdTokens(issuer, clientId, tokens, http, clock),
                new Sessions(
                        config.lifetime(),
                        config.idle(),
                        new Limit("signIn.maxSessions", config.maxSessions()),
                        config.maxSessionsPerSubject(),
                        clock,
                        random),
                new Places(
                        new Limit("signIn.maxAtOnce", config.maxAtOnce()),
                        new Limit("signIn.maxAtOncePerAddress", config.maxAtOncePerAddress())),
                http,
                random,
                clock);
    }

    /**
     * A sign-in that was begun.
     *
     * @param page of the issuer, to which the browser goes
     * @param cookie what the browser keeps until it comes back
     */
    public record Begun(URI page, String cookie) {}

    /** Who is signed in. */
    public Sessions sessions() {
        return sessions;
    }

    /** How long a browser keeps the cookie of a sign-in that was begun. */
    public static Duration patience() {
        return Attempts.PATIENCE;
    }

    /**
     * Begins a sign-in.
     *
     * @param address of the browser
     * @param here where the browser is to come back to, unless the site has named another address
     * @param session the id of the session that the browser has, which ends with the sign-in; absent where it has none
     */
    public Begun begin(String address, String here, @Nullable String session) throws SignInException {
        Places.Place place = place(address);
        try (place) {
            Attempts.Attempt attempt = attempts.begin(session == null ? null : Sessions.digest(session));
            Map<String, String> parameters = new LinkedHashMap<>();
            parameters.put("response_type", "code");
            parameters.put("client_id", clientId);
            parameters.put("redirect_uri", redirect == null ? here : redirect);
            parameters.put(
                    "scope",
                    Stream.concat(Stream.of("openid"), scopes.stream())
                            .distinct()
                            .collect(Collectors.joining(" ")));
            parameters.put("state", attempt.state());
            parameters.put("nonce", attempt.nonce());
            parameters.put("code_challenge", attempt.challenge());
            parameters.put("code_challenge_method", "S256");
            return new Begun(issuer.page(parameters), attempt.cookie());
        }
    }

    /**
     * Ends a sign-in.
     *
     * @param address of the browser
     * @param cookie what the browser has kept; absent where it has nothing
     * @param said what the issuer has the browser bring, each parameter once
     * @param here as {@link #begin} was told
     * @return the id of a new session
     */
    public String end(String address, @Nullable String cookie, Map<String, String> said, String here)
            throws SignInException {
        Attempts.Attempt attempt = cookie == null ? null : attempts.find(cookie).orElse(null);
        String state = said.get("state");
        if (attempt == null || state == null || !attempt.isState(state)) {
            throw new SignInException(
                    403,
                    "SIGNIN_STATE",
                    "This sign-in was not begun in this browser, or longer than " + Attempts.PATIENCE.toMinutes()
                            + " minutes ago, or before the gateway was started again.",
                    AGAIN);
        }
        String from = said.get("iss");
        if (from != null && !from.equals(issuer.name())) {
            throw new SignInException(
                    403, "SIGNIN_ISSUER", "The answer is of another issuer than the one that was asked.", AGAIN);
        }
        String error = said.get("error");
        if (error != null) {
            throw new SignInException(
                    403, "SIGNIN_REFUSED", "The issuer did not sign you in: " + Issuer.word(error) + ".", AGAIN);
        }
        String code = said.get("code");
        if (code == null || code.isEmpty() || code.length() > LONGEST_CODE) {
            throw new SignInException(400, "SIGNIN_CODE", "The answer holds no code that can be one.", AGAIN);
        }
        failures.check(address);
        Places.Place place = place(address);
        try (place) {
            Issuer.Redeemed redeemed = issuer.redeem(code, redirect == null ? here : redirect, attempt.verifier());
            Identity identity = idTokens.validate(redeemed.idToken(), attempt.nonce(), granted(redeemed.scope()));
            String before = attempt.before();
            if (before != null) {
                sessions.endByDigest(before);
            }
            String session = sessions.open(identity);
            LOG.info("{} signed in to the console from {}", identity.subject(), address);
            return session;
        } catch (SignInException e) {
            if (e.status() == FORBIDDEN) {
                failures.add(address);
            }
            throw e;
        } catch (TokenException e) {
            failures.add(address);
            LOG.warn(
                    "The ID token of {} for a browser at {} is refused: {}: {}",
                    issuer.name(),
                    address,
                    e.problem(),
                    e.getMessage());
            throw new SignInException(
                    403,
                    "SIGNIN_TOKEN",
                    "The ID token of the issuer is refused: " + e.getMessage() + ".",
                    "Sign in again. If that does not help, tell the site's administrator.");
        }
    }

    /** What a session may do by scopes: nothing is bounded by them where the site asks for none that allow something. */
    private List<String> granted(@Nullable String scope) throws SignInException {
        List<String> asked =
                scopes.stream().filter(one -> !ABOUT_USERS.contains(one)).toList();
        if (asked.isEmpty() || scope == null) {
            return asked;
        }
        List<String> granted = Arrays.stream(scope.split(" ", MOST_SCOPES))
                .filter(asked::contains)
                .distinct()
                .toList();
        if (granted.isEmpty()) {
            throw new SignInException(
                    403,
                    "SIGNIN_SCOPE",
                    "The issuer has granted none of the scopes that the site asks for: " + String.join(" ", asked)
                            + ".",
                    "Sign in again and agree to them, or ask the issuer why you may not have them.");
        }
        return granted;
    }

    private Places.Place place(String address) throws SignInException {
        Places.Entry entry = places.enter(address);
        Places.Full full = entry.full();
        if (full != null) {
            throw new SignInException(
                    503,
                    "SIGNIN_BUSY",
                    "Too many sign-ins are under way" + (full.isOfOwner() ? " from your address" : "")
                            + "; the limit is " + full.limit().name() + " = "
                            + full.limit().value() + ".",
                    "Try again in a moment.");
        }
        return requireNonNull(entry.place(), "neither a place nor a limit");
    }
}
