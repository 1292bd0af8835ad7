// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jobgate.container.config.ConfigurationFile;
import org.jobgate.container.doctor.Finding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code jobgate doctor} says of files that decide and of files of keys: the same as the service would. */
class FileFindingsTest {

    @TempDir
    Path folder;

    private List<String> findings(String map, String bans, String fqans, String people, String keys)
            throws IOException {
        Files.writeString(folder.resolve("map"), map);
        Files.writeString(folder.resolve("bans"), bans);
        Files.writeString(folder.resolve("fqans"), fqans);
        Files.writeString(folder.resolve("people"), people);
        Files.writeString(folder.resolve("keys.json"), keys);
        Path file = folder.resolve("gate.yaml");
        Files.writeString(file, """
                authorization: { gridMapfile: map }
                decisionPoints:
                  - { kind: ban-list, file: bans }
                  - { kind: attribute-file, file: people }
                  - { kind: fqan-map, file: fqans }
                  - { kind: grid-mapfile }
                tokenIssuers: [ { issuer: "https://iam.example.org/", keysFile: keys.json } ]
                """);
        return FileFindings.of(ConfigurationFile.read(file, Map.of())).stream()
                .map(Finding::line)
                .toList();
    }

    @Test
    void ofGoodFilesNothingIsSaid() throws IOException {
        assertThat(findings(
                        "/CN=a a\n",
                        "/CN=Eve\n",
                        "/atlas atlas\n",
                        "/CN=a project=p\n",
                        "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}"))
                .isEmpty();
    }

    @Test
    void everyBadFileIsNamed() throws IOException {
        assertThat(findings("/CN=a a\n/CN=b\n", "\"open\n", "atlas\n", "/CN=a project\n", "nonsense"))
                .anySatisfy(line -> assertThat(line).contains("map", "1 broken lines are left out", "line 2"))
                .anySatisfy(line -> assertThat(line).contains("bans", "line 1", "Nothing is decided by it"))
                .anySatisfy(line -> assertThat(line).contains("fqans", "line 1"))
                .anySatisfy(line -> assertThat(line).contains("people", "line 1"))
                .anySatisfy(line -> assertThat(line).contains("keys.json", "https://iam.example.org/"))
                .hasSize(5);
    }
}
