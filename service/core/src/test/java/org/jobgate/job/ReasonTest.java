// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ReasonTest {

    @Test
    void filesAreNamedWithWhatIsWrong() {
        assertThat(Reason.of(new NoSuchFileException("/a/b"))).isEqualTo("/a/b does not exist");
        assertThat(Reason.of(new AccessDeniedException("/a/b"))).isEqualTo("/a/b: permission denied");
        assertThat(Reason.of(new FileSystemException("/a/b", null, "Is a directory")))
                .isEqualTo("/a/b: Is a directory");
    }

    @Test
    void namesOfClassesAreLeftOut() {
        assertThat(Reason.of(new IOException("java.net.ConnectException: Connection refused.")))
                .isEqualTo("Connection refused");
        assertThat(Reason.of(new IOException(new IllegalStateException(new IOException("disk on fire")))))
                .isEqualTo("disk on fire");
        assertThat(Reason.of(new CompletionException(new UncheckedIOException(new UnknownHostException("nowhere")))))
                .isEqualTo("the host nowhere is not known");
        assertThat(Reason.of(new IllegalStateException((String) null, new EOFException())))
                .isEqualTo("it ended too early");
        assertThat(Reason.of(new NullPointerException())).isEqualTo("no reason is known");
    }

    @Test
    void theReasonIsOneLineOfBoundedLength() {
        assertThat(Reason.of(new IOException("a\n b\u0001" + "x".repeat(1_000))))
                .startsWith("a b?x")
                .hasSizeLessThan(510);
    }
}
