// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Removes a directory in which others may still write or remove something for a moment: who looks after jobs outlives a gateway. */
final class Removal {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private Removal() {}

    /**
     * Removes it with all that is in it.
     *
     * @throws IOException where that is not done after a minute
     */
    static void of(Path directory) throws IOException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (Files.exists(directory)) {
            try {
                once(directory);
            } catch (IOException | UncheckedIOException changed) {
                if (System.nanoTime() > end) {
                    throw new IOException(directory + " cannot be removed", changed);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private static void once(Path directory) throws IOException {
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(directory)) {
            paths = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.deleteIfExists(path);
        }
    }
}
