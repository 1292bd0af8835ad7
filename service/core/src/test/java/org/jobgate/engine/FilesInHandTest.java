// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jobgate.job.Fault;
import org.jobgate.job.JobId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilesInHandTest {

    private final WorkQueue pool = new WorkQueue("files", 1, 10, 1, (group, jobs) -> {});
    private final JobId job = new JobId(UUID.randomUUID());
    private final FilesInHand files = new FilesInHand();
    private final List<CompletableFuture<Optional<Fault>>> begun = new ArrayList<>();
    private boolean isDue = true;

    @AfterEach
    void stop() {
        pool.close();
    }

    private void move() {
        files.move(
                pool,
                job,
                () -> isDue,
                () -> {
                    begun.add(new CompletableFuture<>());
                    return begun.getLast();
                },
                (id, fault) -> {
                    isDue = false;
                    return CompletableFuture.completedFuture(null);
                });
    }

    @Test
    void whatIsOnItsWayIsNotBegunAgain() {
        move();
        move();

        assertThat(begun).hasSize(1);
    }

    /** Who looked at the job before the others came to the end, and comes after them. */
    @Test
    void aJobThatHasLeftTheStageMeanwhileIsLeftAlone() {
        move();
        begun.getFirst().complete(Optional.empty());
        move();
        assertThat(begun).hasSize(1);

        isDue = true; // and is not taken for one on its way
        move();
        assertThat(begun).hasSize(2);
    }
}
