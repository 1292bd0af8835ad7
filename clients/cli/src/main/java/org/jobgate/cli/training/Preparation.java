// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.cli.training;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Builds the start-up cache. Others may run at the same time: a lock folder lets one build, and the cache appears under
 * its name only when it is whole and was tried.
 */
public final class Preparation {
    private static final Duration LOCK_AGE_MAX = Duration.ofMinutes(5);
    private static final long RUN_SECONDS_MAX = 120;
    private static final int AOT_SINCE = 25;

    private final Settings settings;

    /**
     * What the launcher knows.
     *
     * @param jar the command's one jar
     * @param cache the file to make; launchers look for exactly this name
     * @param flags the JVM options with which the launcher runs the command: a cache serves only the same ones
     */
    public record Settings(Path jar, Path cache, List<String> flags) {
        public Settings {
            requireNonNull(jar, "jar is null");
            requireNonNull(cache, "cache is null");
            flags = List.copyOf(flags);
        }
    }

    public Preparation(Settings settings) {
        this.settings = requireNonNull(settings, "settings is null");
    }

    /** What came of it. */
    public enum Outcome {
        BUILT,
        ALREADY_THERE,
        ANOTHER_BUILDS
    }

    /**
     * Builds the cache unless there is one newer than the jar.
     *
     * @throws IOException it could not be built; a file beside it tells launchers not to try again with this jar
     */
    public Outcome run() throws IOException, InterruptedException {
        if (isFresh(settings.cache())) {
            return Outcome.ALREADY_THERE;
        }
        Files.createDirectories(settings.cache().getParent());
        Path lock = settings.cache().resolveSibling("lock");
        if (!lock(lock)) {
            return Outcome.ANOTHER_BUILDS;
        }
        Path failed = settings.cache().resolveSibling(settings.cache().getFileName() + ".failed");
        try {
            build();
            Files.deleteIfExists(failed);
            return Outcome.BUILT;
        } catch (IOException | RuntimeException e) {
            Files.writeString(failed, e + "\n");
            throw e;
        } finally {
            Files.deleteIfExists(lock);
        }
    }

    /** Younger than the jar and the JVM that it was made with: the same question as in bin/launch.sh. */
    private boolean isFresh(Path cache) throws IOException {
        if (!Files.exists(cache)) {
            return false;
        }
        Path machine = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
        FileTime made = Files.getLastModifiedTime(cache);
        return made.compareTo(Files.getLastModifiedTime(settings.jar())) > 0
                && (!Files.exists(machine) || made.compareTo(Files.getLastModifiedTime(machine)) > 0);
    }

    private static boolean lock(Path lock) throws IOException {
        try {
            if (Files.exists(lock)
                    && Files.getLastModifiedTime(lock)
                            .toInstant()
                            .isBefore(Instant.now().minus(LOCK_AGE_MAX))) {
                // its builder died: no build takes that long
                Files.deleteIfExists(lock);
            }
            Files.createDirectory(lock);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private void build() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(settings.cache().getParent(), "build");
        try {
            Path draft = folder.resolve("draft");
            try (Rehearsal rehearsal = Rehearsal.prepare(folder)) {
                rehearse(rehearsal, recording(draft));
                if (!Files.exists(draft) || Files.size(draft) == 0) {
                    throw new IOException("The JVM wrote no cache.");
                }
                rehearse(rehearsal, using(draft));
            }
            Files.move(draft, settings.cache(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            deleteAll(folder);
        }
    }

    private static String recording(Path draft) {
        return (isAot() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + draft;
    }

    private static String using(Path draft) {
        return (isAot() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + draft;
    }

    private static boolean isAot() {
        return Runtime.version().feature() >= AOT_SINCE;
    }

    private void rehearse(Rehearsal rehearsal, String flag) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(settings.flags());
        command.add(flag);
        command.addAll(List.of("-cp", settings.jar().toString(), "org.jobgate.cli.training.RehearsedCommands"));
        command.addAll(rehearsal.words());
        Path output = rehearsal.folder().resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(rehearsal.environment());
        Process process = builder.start();
        if (!process.waitFor(RUN_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("The rehearsal did not end within " + RUN_SECONDS_MAX + " s.");
        }
        if (process.exitValue() != 0) {
            throw new IOException("The rehearsal ended with status " + process.exitValue() + ": "
                    + Files.readString(output).strip());
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
