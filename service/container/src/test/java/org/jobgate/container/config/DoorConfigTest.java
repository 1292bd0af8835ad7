// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jobgate.limits.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoorConfigTest {

    @TempDir
    Path folder;

    private JobgateConfig read(String yaml) throws IOException {
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, yaml);
        return ConfigurationFile.read(file, Map.of());
    }

    @Test
    void aDoorThatTheFileDoesNotNameIsServedWithTheCommonLimit() throws IOException {
        JobgateConfig config = read("limits: { maxBodyBytes: 2MiB }\ndoors: { rft: { enabled: false } }");

        assertThat(config.door("gram").enabled()).isTrue();
        assertThat(config.door("gram").port()).isNull();
        assertThat(config.bodyBytes("gram")).isEqualTo(new Limit("limits.maxBodyBytes", 2 << 20));
        assertThat(config.door("rft").enabled()).isFalse();
    }

    @Test
    void aDoorsOwnLimitHasItsOwnName() throws IOException {
        JobgateConfig config = read("doors: { gram: { maxBodyBytes: 2KiB, port: 0 } }");

        assertThat(config.bodyBytes("gram")).isEqualTo(new Limit("doors.gram.maxBodyBytes", 2048));
        assertThat(config.bodyBytes("rft").name()).isEqualTo("limits.maxBodyBytes");
        assertThat(config.door("gram").port()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    doors: { gramm: { enabled: false } }    | doors.gramm: there is no such name; did you mean doors.gram?
                    doors: { somewhere: { enabled: true } }  | doors.somewhere: there is no such name; there are gram, delegation, gridsite, rft, files
                    doors: { gram: { enable: false } }      | doors.gram.enable: there is no such name; did you mean doors.gram.enabled?
                    doors: { gram: { port: 70000 } }        | doors.gram.port = 70000: must be at most 65535
                    doors: { gram: { port: x } }            | doors.gram.port = x: must be a whole number
                    doors: { gram: { maxBodyBytes: 1B } }   | doors.gram.maxBodyBytes = 1B: must be at least 1KiB
                    doors: { gram: off }                    | doors.gram = "off": must hold settings
                    doors: [ gram ]                         | doors = ["gram"]: must hold sections, as `gram:`
                    """)
    void whatADoorCannotBeIsRefusedByName(String yaml, String problem) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void theDumpNamesEveryDoor() throws IOException {
        assertThat(ConfigurationDump.lines(read("doors: { files: { port: 9443 } }")))
                .contains(
                        "doors.gram.enabled = true",
                        "doors.gram.port = (none)",
                        "doors.files.port = 9443",
                        "doors.gridsite.maxBodyBytes = (none)");
    }
}
