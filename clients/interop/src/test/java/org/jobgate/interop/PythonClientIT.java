// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Python client: its own checks and wheel, and its tests against a real gateway. */
@ExtendWith(OneGateway.class)
class PythonClientIT {

    /** What {@code clients/python/check} ends with where its packages cannot be fetched. */
    private static final int NO_PACKAGES = 77;

    private static Programs.Result check(Gateway gateway, Map<String, String> more, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Checkout.directory().resolve("clients/python/check").toString());
        command.addAll(List.of(arguments));
        Map<String, String> environment = new HashMap<>(gateway.clients().environment());
        environment.putAll(more);
        Programs.Result result = new Programs(gateway.directory(), environment).run(command);
        assumeTrue(
                result.status() != NO_PACKAGES, () -> "SKIPPED: no packages for the Python client: " + result.output());
        return result;
    }

    @Test
    void itsStyleTypesUnitTestsAndWheelAreGood(Gateway gateway) throws Exception {
        Programs.Result result = check(gateway, Map.of());
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).containsPattern("[1-9][0-9]* passed").doesNotContain(" failed");
    }

    @Test
    void everythingThatItsPageSaysWorksWithThisGateway(Gateway gateway) throws Exception {
        Files.createDirectories(gateway.directory().resolve("area"));
        Programs.Result result = check(
                gateway,
                Map.of("JOBGATE_URL", "https://localhost:" + gateway.port(), "JOBGATE_TREE", "area"),
                "tests/test_gateway.py");
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).containsPattern("[1-9][0-9]* passed").doesNotContain(" failed");
    }
}
