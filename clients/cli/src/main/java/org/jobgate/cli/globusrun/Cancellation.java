// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.globusrun;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jobgate.cli.command.Console;
import org.jobgate.cli.command.Session;
import org.jobgate.cli.wire.Epr;
import org.jobgate.cli.wire.SoapFaultException;
import org.jspecify.annotations.Nullable;

/**
 * Ends the job when the process is told to end (SIGINT, SIGTERM) before the job has, as GT does without
 * {@code -no-cleanup}. A submission on its way is waited for: its job could not be found again.
 */
final class Cancellation {
    private static final long SUBMISSION_WAIT_SECONDS_MAX = 10;

    private final Session session;
    private final Console console;
    private final CountDownLatch submitted = new CountDownLatch(1);
    private volatile Runnable beforehand = () -> {};
    private volatile boolean isOver;
    private volatile @Nullable Epr job;

    Cancellation(Session session, Console console) {
        this.session = requireNonNull(session, "session is null");
        this.console = requireNonNull(console, "console is null");
    }

    /** From now on, and until {@link #over}, an end of the process cancels. */
    void arm() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::cancel, "cancel"));
    }

    /** Done before the job is cancelled: afterwards it may be unknown. */
    void first(Runnable work) {
        beforehand = work;
    }

    void submitted(Epr created) {
        job = created;
        submitted.countDown();
    }

    /** Nothing is left to cancel. */
    void over() {
        isOver = true;
        submitted.countDown();
    }

    private void cancel() {
        try {
            if (isOver || !submitted.await(SUBMISSION_WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
                return;
            }
            Epr created = job;
            if (created != null && !isOver) {
                console.begin("Canceling...");
                beforehand.run();
                new JobService(session.anotherSoap()).destroy(created);
                console.finish("Canceled.");
            }
        } catch (SoapFaultException e) {
            console.finish(e.isResourceUnknown() ? "Canceled." : "Failed.");
            if (!e.isResourceUnknown()) {
                console.error("Error canceling job: " + e.getMessage());
            }
        } catch (IOException e) {
            console.finish("Failed.");
            console.error("Error canceling job: " + e.getMessage() + " The job may still run.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
