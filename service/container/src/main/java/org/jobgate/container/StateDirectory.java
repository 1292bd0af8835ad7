// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of what the service must not lose, held by one process at a time: the process file in it is locked, and the system
 * lets go of the lock when the process dies, however it dies.
 */
final class StateDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StateDirectory.class);
    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final FileChannel processFile;

    private StateDirectory(Path path, FileChannel processFile) {
        this.path = path;
        this.processFile = processFile;
    }

    /**
     * Makes the directory if need be and takes it.
     *
     * @throws ConfigurationException if it cannot be used, or another process has it
     */
    static StateDirectory take(Path path) {
        try {
            makePrivate(path);
            makePrivate(path.resolve("logs"));
            makePrivate(path.resolve("workers"));
            return new StateDirectory(path, lock(path));
        } catch (IOException e) {
            throw refused(path, "cannot be used by this account: " + Reason.of(e));
        }
    }

    private static void makePrivate(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWN));
        }
        if (!Files.getPosixFilePermissions(directory).equals(OWN)) {
            LOG.info("{} could be read by others; from now on by this account only.", directory);
            Files.setPosixFilePermissions(directory, OWN);
        }
        if (!Files.isWritable(directory)) {
            throw new IOException(directory + " is not writable");
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        Path file = path.resolve("jobgate.pid");
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            LOG.debug("This same process holds {}", file, e);
        }
        if (lock == null) {
            String holder = Files.readString(file).strip();
            channel.close();
            throw refused(
                    path,
                    "another Jobgate (process " + holder
                            + ") has it; stop that one first, or choose another directory");
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
        return channel;
    }

    private static ConfigurationException refused(Path path, String why) {
        return new ConfigurationException(List.of("state.directory = " + path + ": " + why));
    }

    Path path() {
        return path;
    }

    Path logs() {
        return path.resolve("logs");
    }

    Path adminSocket() {
        return path.resolve("admin.sock");
    }

    /** Empties the process file and lets go. The file stays: deleting it would race with the next to lock it. */
    @Override
    public void close() {
        try (FileChannel channel = requireNonNull(processFile)) {
            channel.truncate(0);
        } catch (IOException e) {
            LOG.warn("The process file in {} was not emptied", path, e);
        }
    }
}
