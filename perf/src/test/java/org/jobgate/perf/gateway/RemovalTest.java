// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemovalTest {

    private static final Duration WRITING = Duration.ofMillis(300);

    @TempDir
    Path folder;

    /** For a while, files come and go in the directory. */
    private static int writeInto(Path directory) throws IOException {
        int written = 0;
        long end = System.nanoTime() + WRITING.toNanos();
        while (System.nanoTime() < end) {
            Path file = directory.resolve("file" + written % 20);
            try {
                if (!Files.deleteIfExists(file)) {
                    Files.createFile(file);
                }
                written++;
            } catch (NoSuchFileException removed) {
                return written;
            }
        }
        return written;
    }

    @Test
    void aDirectoryThatOthersStillWriteIntoIsRemoved() throws Exception {
        Path directory = Files.createDirectories(folder.resolve("a/b"));
        FutureTask<Integer> others = new FutureTask<>(() -> writeInto(directory));
        Thread.ofPlatform().daemon().start(others);

        Removal.of(folder.resolve("a"));

        assertThat(folder.resolve("a")).doesNotExist();
        assertThat(others.get(1, TimeUnit.MINUTES)).isNotNegative();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatIsNotThereIsGone() throws Exception {
        Removal.of(folder.resolve("none"));

        assertThat(folder).isEmptyDirectory();
    }
}
