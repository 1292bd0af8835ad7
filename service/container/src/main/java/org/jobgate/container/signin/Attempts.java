// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Sign-ins that were begun. Nothing is kept of them here, so that strangers who begin any number cost no memory: the browser keeps a random word
 * with the time, and all that the flow needs is made of that word by a key which only this process has. A restart ends them.
 */
final class Attempts {

    /** How long a user may take at the issuer. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Pattern COOKIE =
            Pattern.compile("[A-Za-z0-9_-]{22}\\.([0-9]{1,12})(?:\\.([A-Za-z0-9_-]{43}))?");
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final SecretKeySpec key;
    private final RandomGenerator random;
    private final Clock clock;

    Attempts(RandomGenerator random, Clock clock) {
        this.random = requireNonNull(random, "random is null");
        this.clock = requireNonNull(clock, "clock is null");
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, "HmacSHA256");
    }

    /**
     * One sign-in.
     *
     * @param cookie what the browser keeps
     * @param state what the issuer must send back with the same browser (RFC 6749 section 10.12)
     * @param nonce what the ID token must hold
     * @param verifier of RFC 7636 section 4.1: 43 characters
     * @param before digest of the session that the browser had; absent where it had none
     */
    record Attempt(
            String cookie,
            String state,
            String nonce,
            String verifier,
            @Nullable String before) {

        /** RFC 7636 section 4.2, {@code S256}. */
        String challenge() {
            try {
                return BASE64.encodeToString(
                        MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has SHA-256", e);
            }
        }

        boolean isState(String said) {
            return MessageDigest.isEqual(state.getBytes(StandardCharsets.UTF_8), said.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * A new one.
     *
     * @param before digest of the session that the browser has; absent where it has none
     */
    Attempt begin(@Nullable String before) {
        byte[] word = new byte[16];
        random.nextBytes(word);
        String cookie = BASE64.encodeToString(word) + "." + clock.instant().getEpochSecond();
        return of(before == null ? cookie : cookie + "." + before, before);
    }

    /** The one that a browser comes back with; none where it was not begun lately. */
    Optional<Attempt> find(String cookie) {
        Matcher form = COOKIE.matcher(cookie);
        if (!form.matches()) {
            return Optional.empty();
        }
        Instant began = Instant.ofEpochSecond(Long.parseLong(form.group(1)));
        Instant now = clock.instant();
        return began.isAfter(now) || began.plus(PATIENCE).isBefore(now)
                ? Optional.empty()
                : Optional.of(of(cookie, form.group(2)));
    }

    private Attempt of(String cookie, @Nullable String before) {
        return new Attempt(cookie, made("state", cookie), made("nonce", cookie), made("verifier", cookie), before);
    }

    private String made(String use, String cookie) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return BASE64.encodeToString(mac.doFinal((use + " " + cookie).getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }
}
