// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which of several failures of a transfer's data connections its caller is told. */
@Timeout(120)
class TogetherTest {

    @TempDir
    private Path trust;

    private final CountDownLatch isClosed = new CountDownLatch(1);

    /** Tells in {@link #isClosed} that a failure has closed it. */
    private DataTask task() throws Exception {
        GridPki pki = new GridPki(trust);
        GsiSecurity user = pki.security(pki.user("Alice"), Delegation.NONE);
        Meter meter = new Meter(
                TransferListener.NONE,
                new Patience(GridFtpSettings.DEFAULTS.dataTimeout()),
                TransferOptions.STREAM.restartFrom());
        DataTask task =
                new DataTask(new DataTask.DataPlan(
                        new ServerAddress("localhost", 1),
                        user,
                        GridFtpSettings.DEFAULTS,
                        TransferOptions.STREAM,
                        meter)) {
                    @Override
                    void run() {}
                };
        task.keep(isClosed::countDown);
        return task;
    }

    @Test
    void whatFailedHereIsToldAlthoughAConnectionFailedForItBefore() throws Exception {
        Together threads = new Together(task());
        threads.start(() -> {
            throw new ClosedChannelException();
        });
        threads.start(() -> {
            awaitTheOther();
            throw new LocalDataException(new IOException("the disk here is full"));
        });
        assertThatThrownBy(threads::join).isInstanceOf(LocalDataException.class);
    }

    @Test
    void soIsAnErrorOfThisSidesOwnCode() throws Exception {
        Together threads = new Together(task());
        threads.start(() -> {
            throw new ClosedChannelException();
        });
        threads.start(() -> {
            awaitTheOther();
            throw new IllegalStateException("the source is broken");
        });
        assertThatThrownBy(threads::join).hasMessageContaining("the source is broken");
    }

    private void awaitTheOther() {
        try {
            isClosed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
