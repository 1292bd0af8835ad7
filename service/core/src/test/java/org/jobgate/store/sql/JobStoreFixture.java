// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.jobgate.store.sql.SampleJobs.BOB;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Job;
import org.jobgate.job.JobId;
import org.jobgate.store.CreateResult;
import org.jobgate.store.JobStore;
import org.jobgate.store.NewJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A store to test, and short ways to use it. */
@Timeout(300)
public abstract class JobStoreFixture {

    protected static final Instant NOON = Instant.parse("2026-11-20T12:00:00.123456Z");

    protected final Clock clock = new RisingClock(NOON);
    protected final SampleJobs samples = new SampleJobs(7);
    protected JobStore store;

    /** The settings of an empty store; the same each time within one test. */
    protected abstract StoreSettings settings() throws Exception;

    /** Makes the database itself refuse every change with this note, as a fault of ours would. */
    protected abstract void refuseChangesWithNote(String note) throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = JobStores.open(settings(), clock);
    }

    @AfterEach
    void closeStore() {
        // there is none where the test was skipped for want of a database
        if (store != null) {
            store.close();
        }
    }

    protected void reopen() throws Exception {
        reopen(UnaryOperator.identity());
    }

    protected void reopen(UnaryOperator<StoreSettings> change) throws Exception {
        store.close();
        store = JobStores.open(change.apply(settings()), clock);
    }

    protected static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    protected static FaultCode faultOf(CompletableFuture<?> future) {
        try {
            Object answer = future.get(1, TimeUnit.MINUTES);
            throw new AssertionError("it was not refused but answered " + answer);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FaultException refused) {
                return refused.fault().code();
            }
            throw new AssertionError("it failed otherwise", e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    protected Job created(NewJob newJob) {
        return ((CreateResult.Created) get(store.create(newJob))).job();
    }

    protected Job createdFor(String subject, String clientId) {
        return created(samples.newJob(subject, clientId));
    }

    protected Job updated(JobId id, org.jobgate.store.JobUpdate update) {
        return get(store.update(id, update)).orElseThrow();
    }

    protected static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Keeps the writer busy, so that what is handed in next gathers to one batch. */
    protected void holdWriter(CountDownLatch release) {
        CountDownLatch held = new CountDownLatch(1);
        Job busy = createdFor(BOB, "busy" + System.nanoTime());
        var unused = store.update(busy.id(), j -> {
            held.countDown();
            await(release);
            return List.of();
        });
        await(held);
    }
}
