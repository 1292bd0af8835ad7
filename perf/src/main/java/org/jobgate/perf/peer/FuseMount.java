// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.peer;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A directory of this machine once more, through a FUSE mount (Debian's bindfs), for the account that mounts it. */
public final class FuseMount implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/bin/bindfs");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long POLL_MS = 20;

    private final Process process;
    private final Path at;

    private FuseMount(Process process, Path at) {
        this.process = process;
        this.at = at;
    }

    /** Whether it can be had here. */
    public static boolean isThere() {
        return Files.isExecutable(PROGRAM) && Files.isWritable(Path.of("/dev/fuse"));
    }

    /**
     * Mounts it.
     *
     * @param at a directory, which is made
     * @throws IOException if that does not work within some seconds
     */
    public static FuseMount of(Path directory, Path at) throws IOException, InterruptedException {
        requireNonNull(directory, "directory is null");
        Files.createDirectories(at);
        Process process = new ProcessBuilder(List.of(PROGRAM.toString(), "-f", directory.toString(), at.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        FuseMount mount = new FuseMount(process, at);
        // who ends the harness early must not leave it behind
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        long begin = System.nanoTime();
        while (!Files.readString(Path.of("/proc/self/mountinfo")).contains(" " + at + " ")) {
            if (!process.isAlive() || System.nanoTime() - begin > PATIENCE.toNanos()) {
                mount.close();
                throw new IOException("bindfs did not mount " + directory + " at " + at);
            }
            Thread.sleep(POLL_MS);
        }
        return mount;
    }

    /** Where the directory is seen. */
    public Path directory() {
        return at;
    }

    /** Unmounted, as bindfs does when it is asked to end. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
