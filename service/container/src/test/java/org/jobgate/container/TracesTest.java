// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jobgate.container.config.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The secret that goes to the collector of traces. */
class TracesTest {

    @TempDir
    Path folder;

    private Path file(String text, String permissions) throws Exception {
        Path file = folder.resolve("authorization");
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer s3cret", "Bearer s3cret\n", "Bearer s3cret\r\nmore"})
    void itsFirstLineIsSent(String text) throws Exception {
        assertThat(Traces.firstLine(file(text, "rw-------"))).isEqualTo("Bearer s3cret");
    }

    /** Java's client refuses such a header when it is sent, with a sentence that holds it and is logged. */
    @ParameterizedTest
    @ValueSource(
            strings = {"\uFEFFBearer s3cret\n", "Bearer s3cret\u0000x", "Bearer s3cret\u2028", "", "\nBearer s3cret"})
    void whatNoHeaderCanHoldIsRefusedAndNotShown(String text) throws Exception {
        Path file = file(text, "rw-------");
        assertThatThrownBy(() -> Traces.firstLine(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("tracing.authorizationFile")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void nobodyElseMayReadIt() throws Exception {
        Path file = file("Bearer s3cret", "rw-r-----");
        assertThatThrownBy(() -> Traces.firstLine(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("chmod 600");
    }
}
