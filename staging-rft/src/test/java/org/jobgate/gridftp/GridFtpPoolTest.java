// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.X509Credential;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which sessions are kept, given again, opened and closed. */
class GridFtpPoolTest {

    private static final GridFtpSettings PATIENT =
            GridFtpSettings.DEFAULTS.withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));

    @TempDir
    private static Path trust;

    private static GridPki pki;
    private static GsiSecurity host;
    private static GsiSecurity user;

    @BeforeAll
    static void issue() throws Exception {
        pki = new GridPki(trust);
        host = pki.security(pki.host("localhost"), Delegation.NONE);
        user = pki.security(GridPki.proxy(pki.user("Alice"), options -> {}), Delegation.NONE);
    }

    private static ScriptedServer server(UnaryOperator<String> script) throws IOException {
        return new ScriptedServer(host, "220 Ready", c -> c.startsWith("AUTH") ? "334 Go on" : script.apply(c));
    }

    @Test
    void thePoolGivesASessionAgainAndNoticesWhenItHungUp() throws Exception {
        try (ScriptedServer server = server(c -> c.equals("SIZE /end") ? "" : "213 5");
                GridFtpPool pool = new GridFtpPool(PATIENT, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC())) {
            GridFtpSession first = leasedOnce(pool, server, true);
            assertThat(leasedOnce(pool, server, false)).isSameAs(first);
            try (GridFtpPool.Lease lease = pool.lease(server.address(), user)) {
                assertThatThrownBy(() -> lease.session().size("/end")).isInstanceOf(TransientGridFtpException.class);
            }
            assertThat(leasedOnce(pool, server, true)).isNotSameAs(first);
        }
    }

    @Test
    void whatWasOpenedWithACredentialIsClosedWhenThatIsForgotten() throws Exception {
        GsiSecurity bob = named(pki.user("Bob"), "bob 1 a");
        GsiSecurity carol = named(pki.user("Carol"), "carol 1 a");
        try (ScriptedServer server = server(c -> "213 5");
                GridFtpPool pool = new GridFtpPool(PATIENT, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC())) {
            GridFtpSession idle;
            GridFtpSession used;
            try (GridFtpPool.Lease first = pool.lease(server.address(), bob)) {
                idle = leasedOnce(pool, server, bob, true);
                GridFtpSession other = leasedOnce(pool, server, carol, true);
                used = first.session();

                pool.forget(name -> name.startsWith("bob 1 "));

                assertThat(idle.isUsable()).isFalse();
                assertThat(used.size("/x"))
                        .as("one in use may end what it does")
                        .isEqualTo(5);
                assertThat(leasedOnce(pool, server, carol, false)).isSameAs(other);
            }
            assertThat(used.isUsable()).isFalse();
            assertThat(leasedOnce(pool, server, bob, true)).isNotIn(idle, used);
        }
    }

    private static GsiSecurity named(X509Credential user, String name) throws Exception {
        return new GsiSecurity(
                GridPki.proxy(user, options -> {}), GridFtpPoolTest.user.validator(), Delegation.NONE, name);
    }

    @Test
    void whatIsTooOldOrOfNoMoreUseIsClosedAlthoughNobodyComes() throws Exception {
        Duration lifetime = Duration.ofDays(2);
        GridFtpPool.Limits limits = new GridFtpPool.Limits(4, 4, lifetime, Duration.ofSeconds(10));
        AtomicLong now = new AtomicLong(Instant.now().toEpochMilli());
        try (ScriptedServer server = server(c -> "213 5");
                GridFtpPool pool = new GridFtpPool(PATIENT, limits, showing(now))) {
            GridFtpSession session = leasedOnce(pool, server, true);
            pool.sweep();
            assertThat(session.isUsable()).isTrue();
            now.set(user.expires().minusSeconds(30).toEpochMilli());
            assertThat(Instant.now().plus(lifetime))
                    .as("the session itself may still be kept")
                    .isAfter(user.expires());
            pool.sweep();
            assertThat(session.isUsable()).isFalse();
        }
        GridFtpPool.Limits brief = new GridFtpPool.Limits(4, 4, Duration.ofSeconds(20), Duration.ofSeconds(10));
        now.set(Instant.now().toEpochMilli());
        try (ScriptedServer server = server(c -> "213 5");
                GridFtpPool pool = new GridFtpPool(PATIENT, brief, showing(now))) {
            GridFtpSession session = leasedOnce(pool, server, true);
            var unused = now.addAndGet(21_000);
            pool.sweep();
            assertThat(session.isUsable()).isFalse();
        }
    }

    private static Clock showing(AtomicLong now) {
        return new Clock() {
            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(now.get());
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException("nobody asks for another zone");
            }
        };
    }

    private static GridFtpSession leasedOnce(GridFtpPool pool, ScriptedServer server, boolean fresh) throws Exception {
        return leasedOnce(pool, server, user, fresh);
    }

    private static GridFtpSession leasedOnce(
            GridFtpPool pool, ScriptedServer server, GsiSecurity security, boolean fresh) throws Exception {
        try (GridFtpPool.Lease lease = pool.lease(server.address(), security)) {
            assertThat(lease.isFresh()).isEqualTo(fresh);
            assertThat(lease.session().size("/x")).isEqualTo(5);
            return lease.session();
        }
    }

    @Test
    void thePoolSaysItsLimit() throws Exception {
        GridFtpPool.Limits one = new GridFtpPool.Limits(1, 1, Duration.ofMinutes(1), Duration.ofMillis(200));
        try (ScriptedServer server = server(c -> "213 5");
                GridFtpPool pool = new GridFtpPool(PATIENT, one, Clock.systemUTC());
                GridFtpPool.Lease lease = pool.lease(server.address(), user)) {
            assertThat(lease.session().isUsable()).isTrue();
            assertThatThrownBy(() -> pool.lease(server.address(), user))
                    .isInstanceOf(TransientGridFtpException.class)
                    .hasMessageContaining("1 sessions")
                    .hasMessageContaining("maxLeased");
        }
    }

    /** A server that takes its time to let somebody in, as those do that make a key for it; and how many came, and at once at most. */
    private static final class SlowDoor implements UnaryOperator<String> {

        private final Duration time;
        private final int refusals;
        private final AtomicInteger logins = new AtomicInteger();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        SlowDoor(Duration time, int refusals) {
            this.time = time;
            this.refusals = refusals;
        }

        ScriptedServer open() throws IOException {
            return new ScriptedServer(host, "220 Ready", this);
        }

        @Override
        public String apply(String command) {
            if (!command.startsWith("AUTH")) {
                return "213 5";
            }
            int which = logins.incrementAndGet();
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            pause(time);
            inside.decrementAndGet();
            return which <= refusals ? "530 Not now" : "334 Go on";
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One whose leases wait long for a session of another. */
    private static GridFtpPool patientPool() {
        return new GridFtpPool(PATIENT, GridFtpPool.Limits.DEFAULTS, Duration.ofMinutes(1), Clock.systemUTC());
    }

    private interface Use {
        void of(GridFtpSession session) throws Exception;
    }

    private static void leaseAtOnce(int leases, GridFtpPool pool, ScriptedServer server, Use use) throws Exception {
        try (ExecutorService users = Executors.newFixedThreadPool(leases)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < leases; i++) {
                all.add(users.submit(() -> {
                    try (GridFtpPool.Lease lease = pool.lease(server.address(), user)) {
                        use.of(lease.session());
                        assertThat(lease.session().size("/x")).isEqualTo(5);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(2, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    void manyShortOnesThatComeAtOnceShareFewSessions() throws Exception {
        int leases = 24;
        SlowDoor door = new SlowDoor(Duration.ofMillis(200), 0);
        try (ScriptedServer server = door.open();
                GridFtpPool pool = patientPool()) {
            leaseAtOnce(leases, pool, server, session -> {});
        }
        assertThat(door.logins).hasValueLessThan(leases / 2);
        assertThat(door.most).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void shortOnesOfAFewThreadsGoOverTheFirstSession() throws Exception {
        SlowDoor door = new SlowDoor(Duration.ofSeconds(1), 0);
        try (ScriptedServer server = door.open();
                GridFtpPool pool = patientPool()) {
            leaseAtOnce(4, pool, server, session -> {
                for (int i = 0; i < 10; i++) {
                    assertThat(session.size("/x")).isEqualTo(5);
                }
            });
        }
        assertThat(door.logins).hasValue(1);
    }

    @Test
    void longOnesThatComeAtOnceHaveASessionEachOpenedTwoAtATime() throws Exception {
        int leases = 9;
        SlowDoor door = new SlowDoor(Duration.ofMillis(100), 0);
        CyclicBarrier together = new CyclicBarrier(leases);
        try (ScriptedServer server = door.open();
                GridFtpPool pool = patientPool()) {
            // none goes before all have theirs
            leaseAtOnce(leases, pool, server, session -> together.await(1, TimeUnit.MINUTES));
        }
        assertThat(door.logins).hasValue(leases);
        assertThat(door.most).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void whoWaitsForOnesThatAreNeverOpenedGoesHisOwnWay() throws Exception {
        Duration wait = Duration.ofMillis(500);
        CountDownLatch stuck = new CountDownLatch(2);
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer(host, "220 Ready", command -> {
                    if (command.startsWith("AUTH") && stuck.getCount() > 0) {
                        stuck.countDown();
                        await(over);
                    }
                    return command.startsWith("AUTH") ? "334 Go on" : "213 5";
                });
                GridFtpPool pool = new GridFtpPool(PATIENT, GridFtpPool.Limits.DEFAULTS, wait, Clock.systemUTC());
                ExecutorService users = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 2; i++) {
                var unused = users.submit(() -> pool.lease(server.address(), user));
            }
            assertThat(stuck.await(1, TimeUnit.MINUTES)).isTrue();
            long begun = System.nanoTime();
            leasedOnce(pool, server, true);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(wait);
            over.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the test has not come to its end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void ofFailedOpeningsNothingIsLeftThatOthersWaitFor() throws Exception {
        SlowDoor door = new SlowDoor(Duration.ZERO, 6);
        GridFtpPool.Limits one = new GridFtpPool.Limits(1, 1, Duration.ofMinutes(1), Duration.ofMinutes(1));
        try (ScriptedServer server = door.open();
                GridFtpPool pool = new GridFtpPool(PATIENT, one, Duration.ofMinutes(1), Clock.systemUTC())) {
            long begun = System.nanoTime();
            for (int i = 0; i < 6; i++) {
                assertThatThrownBy(() -> pool.lease(server.address(), user)).hasMessageContaining("Not now");
            }
            leasedOnce(pool, server, true);
            leasedOnce(pool, server, false);
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("nobody waited, for a turn or for room")
                    .isLessThan(Duration.ofSeconds(50));
        }
    }

    @Test
    void theReceiverOfAPairAtOneServerDoesNotWaitForItsOwnSender() throws Exception {
        // the quickest of some: a machine with other work may let any one of them wait
        double quickest = Double.MAX_VALUE;
        for (int i = 0; i < 5 && quickest >= 1.75; i++) {
            quickest = Math.min(quickest, pairAfterOne());
        }
        assertThat(quickest).as("an opening, and not the time of one before it").isLessThan(1.75);
    }

    /** Opens one session and then a pair at its server; answers how many times as long the second took. */
    private static double pairAfterOne() throws Exception {
        SlowDoor door = new SlowDoor(Duration.ofSeconds(2), 0);
        try (ScriptedServer server = door.open();
                GridFtpPool pool = patientPool()) {
            long before = System.nanoTime();
            leasedOnce(pool, server, true);
            double opening = System.nanoTime() - before;
            long begun = System.nanoTime();
            try (GridFtpPool.Pair pair = pool.leasePair(server.address(), server.address(), user)) {
                assertThat(pair.sender().isFresh()).isFalse();
                assertThat(pair.receiver().isFresh()).isTrue();
            }
            return (System.nanoTime() - begun) / opening;
        }
    }

    @Test
    void ofIdleSendersTheOneWhoseReceiverIsIdleIsTaken() throws Exception {
        try (ScriptedServer from = server(c -> "213 5");
                ScriptedServer to = server(c -> "213 5");
                GridFtpPool pool = patientPool()) {
            GridFtpPool.Lease oldest = pool.lease(from.address(), user);
            GridFtpPool.Lease newest = pool.lease(from.address(), user);
            GridFtpPool.Lease receiver = pool.lease(to.address(), user);
            GridFtpPool.Lease inUse = pool.lease(to.address(), user);
            joined(oldest, receiver);
            joined(newest, inUse);
            List.of(receiver, oldest, newest).forEach(GridFtpPool.Lease::close);

            try (GridFtpPool.Pair pair = pool.leasePair(from.address(), to.address(), user)) {
                assertThat(pair.sender().session()).isSameAs(oldest.session());
                assertThat(pair.receiver().session()).isSameAs(receiver.session());
            }
            inUse.close();
        }
    }

    private static void joined(GridFtpPool.Lease sender, GridFtpPool.Lease receiver) {
        Object connections = new Object();
        sender.session().keep(new DataConnections(connections, true));
        receiver.session().keep(new DataConnections(connections, false));
    }

    /** It would be another sender's: with fewer receivers than senders each transfer would part a pair, and none would stay together. */
    @Test
    void anIdleSenderDoesNotWaitForAReceiverThatIsInUse() throws Exception {
        boolean opened = false;
        // once is enough: a machine with other work may come too late each time, but nothing else has one opened
        for (int i = 0; i < 5 && !opened; i++) {
            opened = isReceiverOpenedAlthoughOneComesBackSoon();
        }
        assertThat(opened).isTrue();
    }

    private static boolean isReceiverOpenedAlthoughOneComesBackSoon() throws Exception {
        try (ScriptedServer from = server(c -> "213 5");
                ScriptedServer to = new SlowDoor(Duration.ofSeconds(2), 0).open();
                GridFtpPool pool = patientPool();
                ExecutorService other = Executors.newSingleThreadExecutor()) {
            leasedOnce(pool, from, true);
            GridFtpPool.Lease inUse = pool.lease(to.address(), user);
            Future<Boolean> isFresh = other.submit(() -> {
                try (GridFtpPool.Pair pair = pool.leasePair(from.address(), to.address(), user)) {
                    return pair.receiver().isFresh();
                }
            });
            pause(Duration.ofMillis(500));
            inUse.close();
            return isFresh.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void ofThoseThatComeBackTheOldestGoAboveTheLimit() throws Exception {
        GridFtpPool.Limits two = new GridFtpPool.Limits(8, 2, Duration.ofMinutes(1), Duration.ofSeconds(10));
        List<GridFtpPool.Lease> leases = new ArrayList<>();
        try (ScriptedServer server = server(c -> "213 5");
                GridFtpPool pool = new GridFtpPool(PATIENT, two, Clock.systemUTC())) {
            for (int i = 0; i < 4; i++) {
                leases.add(pool.lease(server.address(), user));
            }
            leases.forEach(GridFtpPool.Lease::close);

            assertThat(leases)
                    .extracting(lease -> lease.session().isUsable())
                    .containsExactly(false, false, true, true);
            assertThat(leasedOnce(pool, server, false)).isSameAs(leases.get(3).session());
        }
    }

    @Test
    void aPairAtOneServerFindsRoomForItsReceiverWhileOthersWaitForSenders() throws Exception {
        GridFtpPool.Limits four = new GridFtpPool.Limits(4, 4, Duration.ofMinutes(1), Duration.ofMinutes(1));
        SlowDoor door = new SlowDoor(Duration.ofMillis(200), 0);
        try (ScriptedServer server = door.open();
                GridFtpPool pool = new GridFtpPool(PATIENT, four, Duration.ofMinutes(1), Clock.systemUTC());
                ExecutorService users = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(users.submit(() -> {
                    try (GridFtpPool.Pair pair = pool.leasePair(server.address(), server.address(), user)) {
                        assertThat(pair.sender().session())
                                .isNotSameAs(pair.receiver().session());
                        assertThat(pair.receiver().session().size("/x")).isEqualTo(5);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
    }
}
