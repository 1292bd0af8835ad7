// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.identity.Identity;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;

/** How long sessions and sign-ins last, and how many there are. */
class SessionsTest {

    private static final Instant BEGIN = Instant.parse("2026-11-27T08:00:00Z");
    private static final Identity ALICE = new Identity("https://id.example.org,alice", "oidc", false);
    private static final Identity BOB = new Identity("https://id.example.org,bob", "oidc", false);

    private final AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
    private final Clock clock = ((InstantSource) now::get).withZone(ZoneOffset.UTC);
    private final Sessions sessions =
            new Sessions(Duration.ofHours(10), Duration.ofHours(1), new Limit("most", 4), 2, clock, new SecureRandom());

    private void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    @Test
    void aSessionEndsWhenItIsNotUsedAndAtItsEndHoweverMuchItIs() throws Exception {
        String idle = sessions.open(ALICE);
        String used = sessions.open(ALICE);
        for (int i = 1; i < 20; i++) {
            pass(Duration.ofMinutes(30));
            assertThat(sessions.use(used)).as("%s half hours", i).isPresent();
            if (i == 2) {
                assertThat(sessions.use(idle)).isEmpty();
            }
        }
        pass(Duration.ofMinutes(30));
        assertThat(sessions.use(used)).isEmpty();
    }

    @Test
    void anEndedOneAndOneThatNeverWasAreNone() throws Exception {
        String id = sessions.open(ALICE);
        sessions.end("another");
        assertThat(sessions.use(id).orElseThrow().identity()).isEqualTo(ALICE);
        sessions.end(id);
        assertThat(sessions.use(id)).isEmpty();
        assertThat(sessions.use("")).isEmpty();
    }

    @Test
    void oneSubjectTakesNoOtherSubjectsPlaceAndThoseThatAreOverTakeNone() throws Exception {
        for (int i = 0; i < 10; i++) {
            sessions.open(ALICE);
            pass(Duration.ofSeconds(1));
        }
        String bob = sessions.open(BOB);
        sessions.open(new Identity("carol", "oidc", false));
        assertThatThrownBy(() -> sessions.open(new Identity("dave", "oidc", false)))
                .isInstanceOfSatisfying(
                        SignInException.class, e -> assertThat(e.code()).isEqualTo("SESSIONS_FULL"));
        assertThat(sessions.use(bob)).isPresent();
        pass(Duration.ofHours(2));
        assertThat(sessions.use(sessions.open(new Identity("dave", "oidc", false))))
                .isPresent();
    }

    @Test
    void idsAndWhatPagesMustSayAreNeverTheSame() throws Exception {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            String id = sessions.open(ALICE);
            Session session = sessions.use(id).orElseThrow();
            assertThat(seen.add(id)).isTrue();
            assertThat(seen.add(session.csrf())).isTrue();
            assertThat(session.isCsrf(session.csrf())).isTrue();
            assertThat(session.isCsrf(id)).isFalse();
            assertThat(session.isCsrf(null)).isFalse();
        }
    }

    @Test
    void aSignInThatWasBegunIsForgottenAfterTenMinutes() {
        Attempts attempts = new Attempts(new SecureRandom(), clock);
        Attempts.Attempt begun = attempts.begin(null);
        pass(Duration.ofMinutes(10));
        assertThat(attempts.find(begun.cookie())).contains(begun);
        pass(Duration.ofSeconds(1));
        assertThat(attempts.find(begun.cookie())).isEmpty();
        Attempts.Attempt other = attempts.begin(null);
        assertThat(Set.of(begun.state(), begun.nonce(), begun.verifier(), other.state(), other.nonce()))
                .hasSize(5);
        assertThat(new Attempts(new SecureRandom(), clock)
                        .find(other.cookie())
                        .orElseThrow()
                        .state())
                .as("another process makes another state of it")
                .isNotEqualTo(other.state());
        assertThat(other.verifier()).matches("[A-Za-z0-9_-]{43}");
    }
}
