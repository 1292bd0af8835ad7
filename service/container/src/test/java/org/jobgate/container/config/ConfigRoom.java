// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Reads configurations, and knows the long values that several tests repeat. */
abstract class ConfigRoom {

    static final long MIB = 1024 * 1024;

    @TempDir
    Path folder;

    JobgateConfig read(String yaml) throws IOException {
        Path file = folder.resolve("jobgate.yaml");
        Files.writeString(file, yaml);
        return ConfigurationFile.read(file, Map.of());
    }

    static LrmConfig byDefault(String name) {
        return new LrmConfig(
                name,
                "fork",
                false,
                1000,
                null,
                Path.of("/usr/bin/perl"),
                Path.of("/usr/bin/sudo"),
                100,
                Duration.ofMinutes(1),
                Duration.ofMinutes(10),
                Duration.ofSeconds(5),
                0,
                0,
                0,
                0,
                Duration.ofSeconds(5),
                Duration.ofMinutes(1),
                true,
                List.of(),
                null,
                null,
                Duration.ofHours(8),
                List.of());
    }

    static Map<String, DoorConfig> doors(Map<String, DoorConfig> configured) {
        Map<String, DoorConfig> all = new HashMap<>(configured);
        for (String name : List.of(
                "gram", "delegation", "gridsite", "rft", "files", "rest", "bes", "cream", "arc", "srm", "console")) {
            all.putIfAbsent(name, new DoorConfig(true, null, null));
        }
        return all;
    }
}
