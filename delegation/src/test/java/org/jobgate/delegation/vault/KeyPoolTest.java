// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.delegation.vault;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** How hard the pool works; that each pair is handed out once is in {@link VaultTest}. */
class KeyPoolTest {

    private static final int SIZE = 20;
    private static final int MAKING_MS = 20;

    private final AtomicInteger made = new AtomicInteger();

    private KeyPair make() {
        sleep(MAKING_MS);
        made.incrementAndGet();
        return new KeyPair(null, null);
    }

    @Test
    void restsWhereNobodyWantsPairs() {
        try (KeyPool pool = new KeyPool(SIZE, this::make, Duration.ofMinutes(1), Duration.ZERO)) {
            long begin = System.nanoTime();
            await(() -> made.get() > 0);
            sleep(50 * MAKING_MS);
            // without rest it would be full; at a twentieth of the time it has made three
            assertThat(made.get()).isLessThanOrEqualTo(2 + restedSince(begin));
            await(() -> pool.ready() == made.get());
        }
    }

    /** How many pairs are made in the time since then by who rests twenty times as long as he works. */
    private static int restedSince(long begin) {
        return Math.toIntExact(Duration.ofNanos(System.nanoTime() - begin).toMillis() / (SIZE * MAKING_MS)) + 1;
    }

    @Test
    void fillsAsFastAsItCanWhenAPairIsTaken() {
        try (KeyPool pool = new KeyPool(SIZE, this::make, Duration.ofMinutes(1), Duration.ZERO)) {
            await(() -> pool.ready() > 0);
            pool.take();
            await(() -> pool.ready() == SIZE);
            assertThat(pool.madeByCallers()).isZero();
        }
    }

    @Test
    void leavesTheProcessorsToTheStartOfTheServiceUnlessAPairIsTaken() {
        try (KeyPool pool = new KeyPool(SIZE, this::make, Duration.ofMinutes(1), Duration.ofMinutes(1))) {
            sleep(5 * MAKING_MS);
            assertThat(made.get()).isZero();
            pool.take();
            await(() -> pool.ready() == SIZE);
        }
    }

    @Test
    void restsAgainAfterATime() {
        try (KeyPool pool = new KeyPool(SIZE, this::make, Duration.ofMillis(2 * MAKING_MS), Duration.ZERO)) {
            long begin = System.nanoTime();
            pool.take();
            await(() -> made.get() > 0);
            sleep(50 * MAKING_MS);
            // some are made while pairs are still wanted
            assertThat(made.get()).isLessThanOrEqualTo(7 + restedSince(begin));
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            sleep(5);
        }
    }

    private static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
