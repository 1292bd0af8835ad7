// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.scenario;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jobgate.perf.gateway.Account;
import org.jobgate.perf.gateway.LabGrid;
import org.jobgate.perf.wire.Staging;

/**
 * The files of the jobs of a run: one of 10 KB at the lab's first GridFTP server, which every job fetches, and what they send to the
 * second. Removed when closed.
 *
 * @param directory in the home of the jobs' account
 */
record Sandbox(Path directory) implements AutoCloseable {

    private static final int FILE_BYTES = 10_240;

    Sandbox {
        requireNonNull(directory, "directory is null");
    }

    /** In the account's home. */
    static Sandbox of(Account account) throws IOException {
        Path directory = account.temporaryDirectory();
        account.own(Files.write(directory.resolve("10k"), new byte[FILE_BYTES]));
        return new Sandbox(directory);
    }

    Path input() {
        return directory.resolve("10k");
    }

    /** 10 KB in and 10 KB out. */
    Staging inAndOut(String credential, String key) {
        return staging(credential, directory.resolve("in." + key), key, List.of());
    }

    /** The same, in a directory of the job's own that is deleted at its end. */
    Staging inOwnDirectory(String credential, String key) {
        Path own = directory.resolve("job." + key);
        return staging(credential, own.resolve("in"), key, List.of("file://" + own + "/"));
    }

    private Staging staging(String credential, Path brought, String key, List<String> cleanUp) {
        return new Staging(
                credential,
                List.of(new Staging.Copy(LabGrid.near(input()), "file://" + brought)),
                List.of(new Staging.Copy("file://" + brought, LabGrid.far(directory.resolve("out." + key)))),
                cleanUp);
    }

    /** How many jobs have sent their file. */
    long sent() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("out."))
                    .count();
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
