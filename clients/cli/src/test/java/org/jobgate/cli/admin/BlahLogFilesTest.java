// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each line once, whatever ended the runs before. */
class BlahLogFilesTest {

    private static final String DAY = "blahp.log-20261126";
    private static final String NEXT_DAY = "blahp.log-20261127";

    @TempDir
    Path folder;

    private String now = "2026-11-26T23:59:59Z";

    private BlahLogFiles open() throws IOException {
        return BlahLogFiles.open(folder, Clock.fixed(Instant.parse(now), ZoneOffset.UTC));
    }

    private void append(String lines, String place) throws IOException {
        try (BlahLogFiles files = open()) {
            files.append(lines, place);
        }
    }

    private String place() throws IOException {
        try (BlahLogFiles files = open()) {
            return String.valueOf(files.place());
        }
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void runsGoOnWhereTheLastOneEnded() throws Exception {
        assertThat(place()).isEqualTo("null");
        append("a\nb\n", "2-x");
        append("c\n", "3-y");
        append("", "4-z");
        assertThat(text(DAY)).isEqualTo("a\nb\nc\n");

        now = "2026-11-27T00:00:01Z";
        append("d\n", "5-z");

        assertThat(text(DAY)).isEqualTo("a\nb\nc\n");
        assertThat(text(NEXT_DAY)).isEqualTo("d\n");
        assertThat(place()).isEqualTo("5-z");
        assertThat(Files.getPosixFilePermissions(folder.resolve(DAY)).toString())
                .contains("OWNER_WRITE")
                .doesNotContain("OTHERS");
    }

    @Test
    void aRunThatWasKilledBeforeItSaidHowFarItCameWritesNothingTwice() throws Exception {
        append("a\n", "1-x");
        byte[] before = Files.readAllBytes(folder.resolve(".jobgate-blahp"));
        append("b\n", "2-x");
        now = "2026-11-27T00:00:01Z";
        append("c\n", "3-x");
        Files.write(folder.resolve(".jobgate-blahp"), before);

        assertThat(place()).isEqualTo("1-x");
        append("b\nc\nd\n", "4-x");

        assertThat(text(DAY) + text(NEXT_DAY)).isEqualTo("a\nb\nc\nd\n");
        append("e\n", "5-x");
        assertThat(text(NEXT_DAY)).isEqualTo("c\nd\ne\n");
    }

    @Test
    void halfALineOfARunThatWasKilledIsWrittenWhole() throws Exception {
        append("a\n", "1-x");
        Files.writeString(folder.resolve(DAY), "b\nc of Zo\u00eb", StandardOpenOption.APPEND);

        append("b\nc of Zo\u00eb and more\n", "2-x");

        assertThat(text(DAY)).isEqualTo("a\nb\nc of Zo\u00eb and more\n");
    }

    @Test
    void aFirstRunThatWasKilledIsNoOther() throws Exception {
        Files.writeString(folder.resolve(DAY), "somebody else's\n");
        assertThat(place()).isEqualTo("null");
        Files.writeString(folder.resolve(DAY), "a\n", StandardOpenOption.APPEND);

        append("a\nb\n", "2-x");

        assertThat(text(DAY)).isEqualTo("somebody else's\na\nb\n");
    }

    @Test
    void twoRunsAtATimeAreOneTooMany() throws Exception {
        try (BlahLogFiles first = open()) {
            assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("another run");
            first.append("a\n", "1-x");
        }
        append("b\n", "2-x");
        assertThat(text(DAY)).isEqualTo("a\nb\n");
    }

    @Test
    void aPlaceThatIsNoneIsNotTakenForTheBeginning() throws Exception {
        Files.writeString(folder.resolve(".jobgate-blahp"), "");

        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("--since");
        Files.delete(folder.resolve(".jobgate-blahp"));
        append("a\n", "1-x");
        assertThat(text(DAY)).isEqualTo("a\n");
    }

    @Test
    void aLinkInThePlaceOfALogIsNotFollowed() throws Exception {
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "x\n");
        append("", "1-x");
        Files.createSymbolicLink(folder.resolve(DAY), elsewhere);

        assertThatThrownBy(() -> append("a\n", "2-x")).isInstanceOf(IOException.class);
        assertThat(text("elsewhere")).isEqualTo("x\n");
    }
}
