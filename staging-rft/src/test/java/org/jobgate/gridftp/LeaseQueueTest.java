// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which lease gets a session next, or permission to open one. GridFtpPoolTest shows the same with many threads. */
class LeaseQueueTest {

    private static final ServerAddress SERVER = new ServerAddress("data.example.org", 2811);
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    private static Path trust;

    private static GsiSecurity host;
    private static GsiSecurity user;
    private static SessionKey key;

    @BeforeAll
    static void issue() throws Exception {
        GridPki pki = new GridPki(trust);
        host = pki.security(pki.host("localhost"), Delegation.NONE);
        user = new GsiSecurity(pki.user("Alice"), host.validator(), Delegation.NONE, "alice 1");
        key = SessionKey.of(SERVER, user);
    }

    private static LeaseQueue queue(int maxLeased, Duration leaseTimeout) {
        return new LeaseQueue(new GridFtpPool.Limits(maxLeased, 1, LONG, leaseTimeout), LONG);
    }

    private static IdleSessions.@Nullable Idle admit(LeaseQueue queue, LeaseQueue.Wait wait) throws GridFtpException {
        return queue.admit(key, session -> true, System.nanoTime(), wait);
    }

    private static FutureTask<IdleSessions.@Nullable Idle> admitInAThread(LeaseQueue queue, LeaseQueue.Wait wait) {
        FutureTask<IdleSessions.@Nullable Idle> waiting = new FutureTask<>(() -> admit(queue, wait));
        Thread.ofVirtual().start(waiting);
        return waiting;
    }

    @Test
    void theFirstLeaseMayOpenASession() throws Exception {
        assertThat(admit(queue(1, LONG), LeaseQueue.Wait.FOR_USED)).isNull();
    }

    @Test
    void withoutRoomAtTheServerALeaseIsRefusedAfterItsTime() throws Exception {
        LeaseQueue queue = queue(1, Duration.ofMillis(50));
        assertThat(admit(queue, LeaseQueue.Wait.FOR_ROOM)).isNull();
        assertThatThrownBy(() -> admit(queue, LeaseQueue.Wait.FOR_ROOM))
                .isInstanceOf(TransientGridFtpException.class)
                .hasMessageContaining("1 sessions are in use (maxLeased)");
    }

    @Test
    void roomThatIsReleasedIsForTheOneThatWaits() throws Exception {
        LeaseQueue queue = queue(1, LONG);
        assertThat(admit(queue, LeaseQueue.Wait.FOR_ROOM)).isNull();
        queue.openingEnded(key, null);
        FutureTask<IdleSessions.@Nullable Idle> second = admitInAThread(queue, LeaseQueue.Wait.FOR_ROOM);
        assertThat(second.isDone()).isFalse();
        queue.release(key);
        assertThat(second.get(1, TimeUnit.MINUTES)).isNull();
    }

    @Test
    void atMostTwoHaveTheirTurnToOpen() throws Exception {
        LeaseQueue queue = queue(8, LONG);
        assertThat(admit(queue, LeaseQueue.Wait.FOR_TURN)).isNull();
        assertThat(admit(queue, LeaseQueue.Wait.FOR_TURN)).isNull();
        FutureTask<IdleSessions.@Nullable Idle> third = admitInAThread(queue, LeaseQueue.Wait.FOR_TURN);
        assertThatThrownBy(() -> third.get(100, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        queue.openingEnded(key, Duration.ofMillis(100));
        assertThat(third.get(1, TimeUnit.MINUTES)).isNull();
    }

    @Test
    void closingRefusesThoseThatWait() throws Exception {
        LeaseQueue queue = queue(1, LONG);
        assertThat(admit(queue, LeaseQueue.Wait.FOR_ROOM)).isNull();
        FutureTask<IdleSessions.@Nullable Idle> waiting = admitInAThread(queue, LeaseQueue.Wait.FOR_ROOM);
        assertThat(queue.close()).isEmpty();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .hasMessageContaining("the pool is closed");
    }

    /** What becomes of sessions that come back. There is room for one idle session. */
    @Test
    void aSessionThatComesBackIsLentAgainUnlessItIsOfNoUse() throws Exception {
        LeaseQueue queue = queue(8, LONG);
        try (ScriptedServer server =
                        new ScriptedServer(host, "220 Ready", c -> c.startsWith("AUTH") ? "334 Go on" : "213 5");
                GridFtpSession first =
                        GridFtpSession.open(server.address(), user, GridFtpSettings.DEFAULTS, Clock.systemUTC());
                GridFtpSession second =
                        GridFtpSession.open(server.address(), user, GridFtpSettings.DEFAULTS, Clock.systemUTC())) {
            lend(queue, first, LeaseQueue.Wait.FOR_ROOM);
            assertThat(queue.giveBack(idle(first), true)).isEmpty();
            assertThat(requireNonNull(admit(queue, LeaseQueue.Wait.FOR_USED)).session())
                    .isSameAs(first);
            queue.lent(first, user.name());
            lend(queue, second, LeaseQueue.Wait.FOR_ROOM);

            assertThat(queue.giveBack(idle(first), true)).isEmpty();
            assertThat(queue.giveBack(idle(second), true))
                    .as("one too many: the oldest goes")
                    .containsExactly(first);
            assertThat(queue.takeOutUseless(Instant.now(), Instant.now())).isEmpty();
            assertThat(queue.takeOutUseless(Instant.now(), user.expires()))
                    .as("its credential ends then")
                    .containsExactly(second);

            lend(queue, first, LeaseQueue.Wait.FOR_ROOM);
            assertThat(queue.giveBack(idle(first), false)).as("broken").containsExactly(first);
            lend(queue, first, LeaseQueue.Wait.FOR_ROOM);
            assertThat(queue.forget(name -> name.startsWith("alice"))).isEmpty();
            assertThat(queue.giveBack(idle(first), true))
                    .as("forgotten while it was in use")
                    .containsExactly(first);
            lend(queue, first, LeaseQueue.Wait.FOR_ROOM);
            assertThat(queue.giveBack(idle(first), true)).isEmpty();
            assertThat(queue.forget(name -> name.startsWith("bob"))).isEmpty();
            assertThat(queue.forget(name -> name.startsWith("alice"))).isEqualTo(List.of(first));
        }
    }

    private static void lend(LeaseQueue queue, GridFtpSession session, LeaseQueue.Wait wait) throws GridFtpException {
        assertThat(admit(queue, wait)).isNull();
        queue.openingEnded(key, Duration.ofMillis(50));
        queue.lent(session, user.name());
    }

    private static IdleSessions.Idle idle(GridFtpSession session) {
        return new IdleSessions.Idle(key, session, user, Instant.now());
    }
}
