// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that only wait for their clients lose their places, however it comes that another one wants a place. */
class TurnReclaimTest {

    private static final String OWNER = "owner /O=Grid/CN=alice";
    private static final Duration LEASE = Duration.ofMillis(10);

    /** Of which one owner has no more than are free: two. */
    private static final int PLACES = 4;

    private final CountDownLatch clientsSend = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler("looks", true);
    private final Turns requests = new Turns(PLACES, true, LEASE, System::nanoTime);
    private final TurnGate gate = new TurnGate(
            requests,
            new Turns(1, false, LEASE, System::nanoTime),
            10,
            (session, chain) -> {
                throw new CertificateException("there is no TLS");
            },
            threads,
            scheduler);

    @BeforeEach
    void start() throws Exception {
        scheduler.start();
    }

    @AfterEach
    void stop() throws Exception {
        clientsSend.countDown();
        threads.close();
        scheduler.stop();
    }

    private void handle(TurnGate.Handling handling) {
        var unused = threads.submit(
                () -> requireNonNull(gate.forRequest(OWNER), "no place").handle(handling));
    }

    /** All that the owner may have. */
    private void twoThatWaitForTheirClients() throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            handle(() -> {
                both.countDown();
                clientsSend.await();
                return true;
            });
        }
        await(both);
        assertThat(requests.working()).isEqualTo(2);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    }

    /** As the first request of a connection, which came with the end of its handshake. */
    @Test
    void aRequestThatWasReadAlreadyGetsAPlace() throws Exception {
        twoThatWaitForTheirClients();
        CountDownLatch works = new CountDownLatch(1);
        handle(() -> {
            works.countDown();
            return true;
        });
        await(works);
    }

    @Test
    void aRequestThatGoesOnAfterAPauseGetsAPlace() throws Exception {
        CountDownLatch paused = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        handle(() -> {
            TurnGate.pause();
            paused.countDown();
            mayGoOn.await();
            TurnGate.resume();
            goesOn.countDown();
            return true;
        });
        await(paused);
        twoThatWaitForTheirClients();
        mayGoOn.countDown();
        await(goesOn);
    }
}
