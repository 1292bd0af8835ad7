// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.rft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jobgate.cli.command.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferFileTest {

    private static TransferFile read(boolean isDeletion, String text) throws CommandException {
        return TransferFile.parse(text.lines().toList(), isDeletion, "x");
    }

    @Test
    void theElevenLinesOfRftAreReadInTheirOrder() throws Exception {
        TransferFile file = read(false, """
                # binary
                true
                16000

                17000
                false
                2
                true
                3
                /O=source
                null
                true
                10
                gsiftp://a/x
                gsiftp://b/y
                gsiftp://a/z file:///w
                """);
        assertThat(file.options())
                .containsEntry("binary", "true")
                .containsEntry("blockSize", "16000")
                .containsEntry("tcpBufferSize", "17000")
                .containsEntry("notpt", "false")
                .containsEntry("parallelStreams", "2")
                .containsEntry("dcau", "true")
                .containsEntry("sourceSubjectName", "/O=source")
                .doesNotContainKey("destinationSubjectName");
        assertThat(file.concurrency()).isEqualTo("3");
        assertThat(file.maxAttempts()).isEqualTo("10");
        assertThat(file.allOrNone()).isTrue();
        assertThat(file.files())
                .containsExactly(
                        new TransferFile.Entry("gsiftp://a/x", "gsiftp://b/y"),
                        new TransferFile.Entry("gsiftp://a/z", "file:///w"));
    }

    /** As RFT's own client read them: line by line. */
    @Test
    void aSubjectMayHaveBlanksAndLookLikeAnything() throws Exception {
        TransferFile file = read(false, """
                true
                16000
                16000
                false
                1
                true
                1
                /O=Grid for all/CN=host/a.example.org 2811
                CN=Alice Smith, OU=https://example.org, O=Grid
                false
                10
                gsiftp://a/my file
                gsiftp://b/y
                """);
        assertThat(file.options())
                .containsEntry("sourceSubjectName", "/O=Grid for all/CN=host/a.example.org 2811")
                .containsEntry("destinationSubjectName", "CN=Alice Smith, OU=https://example.org, O=Grid");
        assertThat(file.maxAttempts()).isEqualTo("10");
        assertThat(file.files()).containsExactly(new TransferFile.Entry("gsiftp://a/my file", "gsiftp://b/y"));
        TransferFile deletions = read(true, "/O=Grid for all/CN=a 7\n2\ngsiftp://a/x\n");
        assertThat(deletions.options()).containsEntry("subjectName", "/O=Grid for all/CN=a 7");
        assertThat(deletions.concurrency()).isEqualTo("2");
    }

    @Test
    void urlsAloneAreEnough() throws Exception {
        assertThat(read(false, "https://a/x\nfile:///y\n").files())
                .containsExactly(new TransferFile.Entry("https://a/x", "file:///y"));
        TransferFile deletions = read(true, "null\n2\n7\ngsiftp://a/x\ngsiftp://a/y/\n");
        assertThat(deletions.files())
                .extracting(TransferFile.Entry::destination)
                .containsExactly("gsiftp://a/x", "gsiftp://a/y/");
        assertThat(List.of(String.valueOf(deletions.concurrency()), String.valueOf(deletions.maxAttempts())))
                .containsExactly("2", "7");
        assertThat(deletions.options()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "# nothing\n", "gsiftp://a/x\n", "true\ngsiftp://a/x gsiftp://b/y\n", "gsiftp://a/x b\n"})
    void whatIsWrongIsSaid(String text) {
        assertThatThrownBy(() -> read(false, text))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("Transfer file x");
    }

    @Test
    void theStateIsSaidByTheExitStatus() {
        assertThat(List.of("Done", "Active", "Pending", "Cancelled", "Failed").stream()
                        .map(word -> new RftState(word, 1, 0, 0, 0, 1, 0, 9, null).exitStatus()))
                .containsExactly(0, 1, 2, 3, 4);
        assertThat(new RftState("Active", 1, 0, 0, 1, 0, 0, 9, null).bar(4))
                .isEqualTo("[##..] Active: 1 of 2 finished, 1 active, 9 bytes");
    }
}
