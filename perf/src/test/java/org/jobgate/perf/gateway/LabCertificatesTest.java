// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LabCertificatesTest {

    private static final Path DIRECTORY = Path.of("/tmp/run/certificates");

    private static LabCertificates of(int users) {
        return new LabCertificates("jobgate", DIRECTORY, users);
    }

    @Test
    void eachUserHasAProxyOfItsOwn() {
        assertThat(of(3).proxies())
                .containsExactly(
                        DIRECTORY.resolve("perf/proxy.pem"),
                        DIRECTORY.resolve("perf-2/proxy.pem"),
                        DIRECTORY.resolve("perf-3/proxy.pem"));
    }
}
