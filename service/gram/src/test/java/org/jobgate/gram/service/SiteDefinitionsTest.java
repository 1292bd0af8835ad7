// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gram.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jobgate.gram.jdd.Variables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteDefinitionsTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    @TempDir
    Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final Clock clock =
            InstantSource.tick(now::get, Duration.ofNanos(1)).withZone(ZoneOffset.UTC);

    private SiteDefinitions read(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("definitions"), content);
        return new SiteDefinitions(file, Duration.ofHours(8), clock);
    }

    @Test
    void namesAndTextsAreReadAndRemarksAreNot() throws IOException {
        SiteDefinitions context = read("# ours\n\n SITE_TMP = /scratch/${GLOBUS_USER_NAME} \nOPTS=-a=b\n");

        assertThat(context.find("SITE_TMP")).contains("/scratch/${GLOBUS_USER_NAME}");
        assertThat(context.find("OPTS")).contains("-a=b");
        assertThat(context.find("OTHER")).isEmpty();
    }

    @Test
    void theFileIsReadAgainAfterThePeriodAndADamagedOneChangesNothing() throws IOException {
        SiteDefinitions context = read("A=1");
        Files.writeString(folder.resolve("definitions"), "A=2");
        assertThat(context.find("A")).contains("1");

        now.set(NOW.plus(Duration.ofHours(8)));
        assertThat(context.find("A")).contains("2");

        Files.writeString(folder.resolve("definitions"), "nothing");
        now.set(NOW.plus(Duration.ofHours(17)));
        assertThat(context.find("A")).contains("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "A=1\nA=2", "A B=1", "=x"})
    void aWrongLineIsNamed(String content) {
        assertThatThrownBy(() -> read(content)).isInstanceOf(IOException.class).hasMessageContaining(", line ");
    }

    @Test
    void theSiteDefinesForItsLrmAndCannotRedefineWhatEveryServiceHas() throws IOException {
        StandardVariables variables = new StandardVariables(
                FactoryFacts.ofThisHost("/opt/jobgate"),
                account -> Optional.of("/home/" + account),
                Map.of("Slurm", read("SITE=x\nGLOBUS_USER_NAME=root")));
        Variables slurm = variables.of("alice", "Slurm");

        assertThat(slurm.definition("SITE")).contains("x");
        assertThat(slurm.value("GLOBUS_USER_NAME")).contains("alice");
        assertThat(variables.of("alice", "Fork").definition("SITE")).isEmpty();
    }
}
