// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.backup;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner may read, which are there whole or not at all. */
final class PrivateFile {

    private PrivateFile() {}

    static void write(Path file, byte[] content) throws IOException {
        Path next = begin(file);
        Files.write(next, content, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        finish(next, file);
    }

    static void copy(Path from, Path to) throws IOException {
        Path next = begin(to);
        Files.copy(from, next, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
        sync(next);
        finish(next, to);
    }

    /** Has the system write to disk what it holds back of a file, or of the entries of a directory. */
    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path begin(Path file) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        return Files.createFile(
                next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private static void finish(Path next, Path file) throws IOException {
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            sync(directory);
        }
    }
}
