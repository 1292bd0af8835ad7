// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jobgate.identity.Identity;
import org.jobgate.limits.Limit;

/**
 * Who is signed in, in memory: a restart ends all sessions. They are kept under a digest of their ids, so that nothing that shows the memory's keys
 * shows an id. Each sign-in makes a new id; none is ever taken from a client.
 */
public final class Sessions {

    private static final int BYTES = 32;

    private final Duration lifetime;
    private final Duration idle;
    private final Limit most;
    private final int mostOfSubject;
    private final Clock clock;
    private final RandomGenerator random;
    private final Map<String, Session> byDigest = new ConcurrentHashMap<>();

    /**
     * None yet.
     *
     * @param lifetime a session ends so long after its beginning
     * @param idle a session that is not used for so long ends
     * @param mostOfSubject sessions of one subject; one more ends the oldest of them
     * @param random must not be guessable
     */
    public Sessions(
            Duration lifetime, Duration idle, Limit most, int mostOfSubject, Clock clock, RandomGenerator random) {
        this.lifetime = requireNonNull(lifetime, "lifetime is null");
        this.idle = requireNonNull(idle, "idle is null");
        this.most = requireNonNull(most, "most is null");
        this.mostOfSubject = mostOfSubject;
        this.clock = requireNonNull(clock, "clock is null");
        this.random = requireNonNull(random, "random is null");
    }

    /**
     * Begins a session.
     *
     * @return its id, which only the browser keeps
     * @throws SignInException there are too many of others
     */
    synchronized String open(Identity identity) throws SignInException {
        Instant now = clock.instant();
        byDigest.values().removeIf(session -> isOver(session, now));
        List<Map.Entry<String, Session>> own = byDigest.entrySet().stream()
                .filter(entry -> entry.getValue().identity().subject().equals(identity.subject()))
                .sorted(Comparator.comparing(entry -> entry.getValue().began()))
                .toList();
        own.stream()
                .limit(Math.max(0, own.size() - mostOfSubject + 1L))
                .forEach(entry -> byDigest.remove(entry.getKey()));
        if (byDigest.size() >= most.value()) {
            throw new SignInException(
                    503,
                    "SESSIONS_FULL",
                    "So many users are signed in that there is no room for one more; the limit is " + most.name()
                            + " = " + most.value() + ".",
                    "Try again later, or use a certificate.");
        }
        String id = secret();
        byDigest.put(digest(id), new Session(identity, secret(), now, now.plus(lifetime)));
        return id;
    }

    /** The session of this id, which counts as used now; none where there is none or it is over. */
    public Optional<Session> use(String id) {
        String digest = digest(id);
        Session session = byDigest.get(digest);
        if (session == null) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        if (isOver(session, now)) {
            byDigest.remove(digest, session);
            return Optional.empty();
        }
        session.use(now);
        return Optional.of(session);
    }

    /** Ends the session of this id, if there is one. */
    public void end(String id) {
        byDigest.remove(digest(id));
    }

    /** Ends the session whose id has this digest, if there is one. */
    void endByDigest(String digest) {
        byDigest.remove(digest);
    }

    private boolean isOver(Session session, Instant now) {
        return !now.isBefore(session.until()) || !now.isBefore(session.used().plus(idle));
    }

    private String secret() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static String digest(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
