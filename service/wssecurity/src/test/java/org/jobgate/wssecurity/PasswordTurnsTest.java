// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.wssecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jobgate.soap.SoapFaultException;
import org.junit.jupiter.api.Test;

class PasswordTurnsTest {

    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger now = new AtomicInteger();

    private boolean slow() {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        try {
            open.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            now.decrementAndGet();
        }
    }

    @Test
    void aCrowdOfOneAddressHoldsUpNoOther() {
        PasswordTurns turns = new PasswordTurns(Duration.ofSeconds(20));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Boolean>> crowd = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                crowd.add(CompletableFuture.supplyAsync(() -> turns.check("192.0.2.1", this::slow), threads));
            }
            await().atMost(Duration.ofMinutes(1)).until(() -> now.get() == PasswordTurns.AT_ONCE);

            assertThat(turns.check("192.0.2.2", () -> true)).isTrue();
            assertThat(turns.check("192.0.2.2", () -> false)).isFalse();

            open.countDown();
            assertThat(crowd).allMatch(CompletableFuture::join);
        }
        assertThat(most.get()).isEqualTo(PasswordTurns.AT_ONCE);
        assertThat(turns.remembered()).isZero();
    }

    @Test
    void whoWaitsTooLongIsRefused() {
        PasswordTurns turns = new PasswordTurns(Duration.ofMillis(20));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < PasswordTurns.AT_ONCE; i++) {
                threads.execute(() -> turns.check("192.0.2.1", this::slow));
            }
            await().atMost(Duration.ofMinutes(1)).until(() -> now.get() == PasswordTurns.AT_ONCE);

            assertThatThrownBy(() -> turns.check("192.0.2.1", () -> true))
                    .isInstanceOf(SoapFaultException.class)
                    .hasMessageContaining("Too many passwords from this address");
            open.countDown();
        }
        assertThat(turns.remembered()).isZero();
    }
}
