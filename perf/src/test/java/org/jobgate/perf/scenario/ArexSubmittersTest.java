// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArexSubmittersTest {

    @Test
    void theDirectoryOfAJobIsNamedByThePartsOfItsId() {
        Path control = Path.of("/control");

        assertThat(ArexSubmitters.directory(control, "9a405ce826fa"))
                .isEqualTo(Path.of("/control/jobs/9a4/05c/e82/6fa"));
        assertThat(ArexSubmitters.directory(control, "9a405ce826fa1234"))
                .isEqualTo(Path.of("/control/jobs/9a4/05c/e82/6fa1234"));
        assertThat(ArexSubmitters.directory(control, "9a4")).isEqualTo(Path.of("/control/jobs/9a4"));
    }
}
