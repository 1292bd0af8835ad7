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
            sleep(50 * MAKING_MS);
            // without rest it would be full; at a twentieth of the time it has made three
            assertThat(made.get()).isBetween(1, 5);
            assertThat(pool.ready()).isEqualTo(made.get());
        }
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
            pool.take();
            sleep(50 * MAKING_MS);
            assertThat(made.get()).isBetween(1, 10);
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
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
