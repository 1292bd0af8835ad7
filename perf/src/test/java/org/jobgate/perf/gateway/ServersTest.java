// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ServersTest {

    @Test
    void theGatewayIsKnownByItsProcess() throws IOException {
        Map<String, Servers.Used> used =
                Servers.now().used(OptionalLong.of(ProcessHandle.current().pid()));

        Servers.Used ours = requireNonNull(used.get("Jobgate"));
        assertThat(ours.processes()).isEqualTo(1);
        assertThat(ours.cpuSeconds()).isGreaterThan(0.1);
        assertThat(ours.residentMiB()).isGreaterThan(10);
    }

    @Test
    void workersThatHaveEndedAreShownAsWorkers() throws IOException, InterruptedException {
        Process worker = new ProcessBuilder("perl", "-e", "1 while (times)[0] < 0.3").start();
        assertThat(worker.waitFor()).isZero();

        Servers.Used workers = requireNonNull(Servers.now()
                .used(OptionalLong.of(ProcessHandle.current().pid()))
                .get("Jobgate's workers"));

        assertThat(workers.cpuSeconds()).isGreaterThanOrEqualTo(0.3);
    }

    @Test
    void withoutAGatewayThereIsNothingOfIt() throws IOException {
        assertThat(Servers.now().used(OptionalLong.empty())).doesNotContainKeys("Jobgate", "Jobgate's workers");
    }
}
