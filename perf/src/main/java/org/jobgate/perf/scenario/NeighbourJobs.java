// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jobgate.perf.wire.GramClient;
import org.jobgate.perf.wire.JobRequest;
import org.jobgate.perf.wire.RefusedException;
import org.jobgate.perf.wire.Staging;

/** Jobs of the users that {@link Neighbours} sets against each other. */
final class NeighbourJobs {

    private NeighbourJobs() {}

    static JobRequest withInput(String from, Path to, String script) {
        return shell(script)
                .with(new Staging(null, List.of(new Staging.Copy(from, "file://" + to)), List.of(), List.of()));
    }

    static JobRequest shell(String script) {
        return new JobRequest(
                UUID.randomUUID().toString(),
                "/bin/sh",
                List.of("-c", script),
                Instant.now().plus(1, ChronoUnit.HOURS),
                null);
    }

    static String state(GramClient client, String id) throws IOException {
        try {
            return client.view(id).state();
        } catch (RefusedException e) {
            throw new IOException("the state of " + id + " was refused: " + e.getMessage(), e);
        }
    }

    /** How it ended; empty if it has not after so long. */
    static Optional<GramClient.JobView> end(GramClient client, String id, Duration timeout)
            throws IOException, InterruptedException, RefusedException {
        boolean ended = Waiting.until(timeout, () -> List.of("Done", "Failed").contains(state(client, id)));
        return ended ? Optional.of(client.view(id)) : Optional.empty();
    }
}
