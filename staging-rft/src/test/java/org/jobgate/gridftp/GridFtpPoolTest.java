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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** One that takes its time to let somebody in, as those do that make a key for it. */
    private static ScriptedServer slow(AtomicInteger logins) throws IOException {
        return new ScriptedServer(host, "220 Ready", command -> {
            if (!command.startsWith("AUTH")) {
                return "213 5";
            }
            logins.incrementAndGet();
            pause(Duration.ofMillis(200));
            return "334 Go on";
        });
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void manyShortOnesThatComeAtOnceShareFewSessions() throws Exception {
        int atOnce = 24;
        AtomicInteger logins = new AtomicInteger();
        Set<GridFtpSession> used = ConcurrentHashMap.newKeySet();
        try (ScriptedServer server = slow(logins);
                GridFtpPool pool = new GridFtpPool(PATIENT, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC());
                ExecutorService users = Executors.newFixedThreadPool(atOnce)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < atOnce; i++) {
                all.add(users.submit(() -> {
                    try (GridFtpPool.Lease lease = pool.lease(server.address(), user)) {
                        assertThat(lease.session().size("/x")).isEqualTo(5);
                        used.add(lease.session());
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
        assertThat(used).hasSizeLessThan(atOnce / 2);
        assertThat(logins).hasValueLessThan(atOnce / 2);
    }

    @Test
    void longOnesThatComeAtOnceHaveASessionEach() throws Exception {
        int atOnce = 9;
        AtomicInteger logins = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(atOnce);
        try (ScriptedServer server = slow(logins);
                GridFtpPool pool = new GridFtpPool(PATIENT, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC());
                ExecutorService users = Executors.newFixedThreadPool(atOnce)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < atOnce; i++) {
                all.add(users.submit(() -> {
                    try (GridFtpPool.Lease lease = pool.lease(server.address(), user)) {
                        together.await(1, TimeUnit.MINUTES); // none goes before all have theirs
                        assertThat(lease.session().size("/x")).isEqualTo(5);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(1, TimeUnit.MINUTES);
            }
        }
        assertThat(logins).hasValue(atOnce);
    }

    @Test
    void whoWaitsForOnesThatAreNeverOpenedGoesHisOwnWay() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        try (ScriptedServer server = new ScriptedServer(host, "220 Ready", command -> {
                    if (command.startsWith("AUTH") && logins.incrementAndGet() <= 2) {
                        pause(Duration.ofSeconds(20));
                    }
                    return command.startsWith("AUTH") ? "334 Go on" : "213 5";
                });
                GridFtpPool pool = new GridFtpPool(PATIENT, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC());
                ExecutorService stuck = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 2; i++) {
                var unused = stuck.submit(() -> pool.lease(server.address(), user));
            }
            while (logins.get() < 2) {
                pause(Duration.ofMillis(10));
            }
            long begun = System.nanoTime();
            leasedOnce(pool, server, true);
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofMillis(2900), Duration.ofSeconds(15));
            stuck.shutdownNow();
        }
    }

    @Test
    void ofFailedOpeningsNothingIsLeftThatOthersWaitFor() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        try (ScriptedServer server = new ScriptedServer(
                        host,
                        "220 Ready",
                        command -> command.startsWith("AUTH")
                                ? logins.incrementAndGet() <= 3 ? "530 Not now" : "334 Go on"
                                : "213 5");
                GridFtpPool pool = new GridFtpPool(PATIENT, GridFtpPool.Limits.DEFAULTS, Clock.systemUTC())) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> pool.lease(server.address(), user)).hasMessageContaining("Not now");
            }
            leasedOnce(pool, server, true);
            leasedOnce(pool, server, false);
        }
    }
}
