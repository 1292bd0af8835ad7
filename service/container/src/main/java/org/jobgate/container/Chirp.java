// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import java.util.Map;
import java.util.Set;
import org.jobgate.adapter.ChirpWorkers;
import org.jobgate.adapter.LrmSpool;
import org.jobgate.adapter.chirp.ChirpCredentials;
import org.jobgate.adapter.chirp.ChirpServer;
import org.jobgate.adapter.chirp.ChirpSettings;
import org.jobgate.adapter.chirp.TicketFigures;
import org.jobgate.container.config.JobgateConfig;
import org.jobgate.container.metrics.ChirpMetrics;
import org.jobgate.jobs.JobCredentials;
import org.jobgate.jobs.NoCredentials;
import org.jobgate.store.JobStore;
import org.jspecify.annotations.Nullable;

/** Makes what gives jobs tickets to Chirp servers. */
final class Chirp {

    private Chirp() {}

    /**
     * Also where no server is configured: jobs that ask are refused then, and what an earlier configuration has left is withdrawn.
     *
     * @param others what gives jobs all other credentials, if anything does
     * @param spools the LRMs that keep files of jobs
     */
    static ChirpCredentials credentials(
            Base base, @Nullable JobCredentials others, Map<String, LrmSpool> spools, JobStore store) {
        JobgateConfig config = base.config();
        return new ChirpCredentials(
                others == null ? NoCredentials.INSTANCE : others,
                settings(config),
                Set.copyOf(spools.keySet()),
                new ChirpWorkers(
                        config.chirp().program(),
                        config.chirp().answerTimeout(),
                        spools,
                        FileDoor.reached(config, base.home()),
                        base.random()),
                store,
                base.clock());
    }

    private static ChirpSettings settings(JobgateConfig config) {
        return new ChirpSettings(
                config.chirpServers().stream()
                        .map(server -> new ChirpServer(
                                server.name(), server.address(), server.directories(), server.writable()))
                        .toList(),
                config.chirp().longestTicket(),
                config.chirp().margin());
    }

    static ChirpMetrics.Figures figures(ChirpCredentials credentials) {
        TicketFigures now = credentials.figures();
        return new ChirpMetrics.Figures(
                now.held(), now.waiting(), now.made(), now.failed(), now.refused(), now.withdrawn());
    }
}
