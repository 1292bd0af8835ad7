// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jobgate.limits.Interlude;
import org.junit.jupiter.api.Test;

/** Who waits for writes is told by as few threads as may be, and nobody is held up by what another does with the answer. */
class PendingWriteTest {

    private final List<Runnable> tasks = new ArrayList<>();

    private static PendingWrite<String> write() {
        return new PendingWrite<>(batch -> "written", Interlude.none());
    }

    @Test
    void oneThreadTellsAllWhoOnlyWait() throws Exception {
        PendingWrite<String> first = write();
        PendingWrite<String> second = write();
        PendingWrite<String> third = write();
        FutureTask<String> waiter = new FutureTask<>(first.future()::join);
        Thread.ofVirtual().start(waiter);
        await().until(() -> first.future().getNumberOfDependents() == 1);
        third.fail(new IllegalStateException("no room on the disk"));

        PendingWrite.answer(List.of(first, second, third), tasks::add);

        assertThat(tasks).hasSize(1);
        assertThat(first.future()).isNotDone();
        tasks.getFirst().run();
        waiter.get(1, TimeUnit.MINUTES);
        assertThat(second.future()).isCompleted();
        assertThatThrownBy(third.future()::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("no room on the disk");
    }

    @Test
    void whatHangsOnAWriteHoldsUpNoOther() {
        PendingWrite<String> waited = write();
        PendingWrite<String> followed = write();
        CompletableFuture<Integer> next = followed.future().thenApply(result -> 7);

        PendingWrite.answer(List.of(followed, waited), tasks::add);

        assertThat(tasks).as("one for each").hasSize(2);
        tasks.getLast().run();
        assertThat(waited.future()).isCompleted();
        assertThat(next).isNotDone();
        tasks.getFirst().run();
        assertThat(next).isCompletedWithValue(7);
    }

    @Test
    void whatComesToHangOnAWriteBeforeItIsAnsweredHoldsUpNoOtherEither() {
        PendingWrite<String> followed = write();
        PendingWrite<String> waited = write();
        PendingWrite.answer(List.of(followed, waited), tasks::add);
        CompletableFuture<Integer> next = followed.future().thenApply(result -> 7);

        tasks.getFirst().run();

        assertThat(waited.future()).isCompleted();
        assertThat(next).isNotDone();
        assertThat(tasks).hasSize(2);
        tasks.getLast().run();
        assertThat(next).isCompletedWithValue(7);
    }
}
