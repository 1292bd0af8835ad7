// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.store.sql;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jobgate.job.Fault;
import org.jobgate.job.FaultCode;
import org.jobgate.job.FaultException;
import org.jobgate.job.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock of one container on one SQLite store: a locked file that names the holder. The system releases it when the holder dies. */
final class StoreLock implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoreLock.class);
    private static final int HOLDER_BYTES = 256;

    /**
     * The locks of this process. A lock file must not even be opened twice by one process: closing either would release the lock.
     */
    private static final Map<Path, String> HELD = new ConcurrentHashMap<>();

    private final Path file;
    private final FileChannel channel;

    private StoreLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @throws FaultException of code {@code STORE_UNAVAILABLE} that names the holder, where somebody else has it
     */
    static StoreLock take(Path file, String store) {
        String self = "process " + ProcessHandle.current().pid() + " since "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String inThisProcess = HELD.putIfAbsent(file, self);
        if (inThisProcess != null) {
            throw held(store, inThisProcess + " (this same process)");
        }
        try {
            return lock(file, store, self);
        } catch (IOException e) {
            HELD.remove(file);
            throw new FaultException(
                    Fault.of(
                            FaultCode.STORE_UNAVAILABLE,
                            "The lock file " + file + " of the store cannot be written: " + Reason.of(e) + ".",
                            "Make its directory writable for the service's account, or free space on its disk."),
                    e);
        } catch (FaultException | OverlappingFileLockException e) {
            HELD.remove(file);
            throw e;
        }
    }

    private static StoreLock lock(Path file, String store, String self) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw held(store, holder(channel));
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)), 0);
            return new StoreLock(file, channel);
        } catch (IOException | FaultException | OverlappingFileLockException e) {
            channel.close();
            throw e;
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(HOLDER_BYTES);
        int length = channel.read(buffer, 0);
        return length <= 0 ? "another process" : new String(buffer.array(), 0, length, StandardCharsets.UTF_8);
    }

    private static FaultException held(String store, String holder) {
        return new FaultException(Fault.of(
                FaultCode.STORE_UNAVAILABLE,
                "The store " + store + " is in use by " + holder + ".",
                "One container per store: stop the other one, or give this one its own store.url."));
    }

    @Override
    public void close() {
        if (!channel.isOpen()) {
            // a later holder of this process may have the lock by now
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("Closing the lock file {} failed; the lock goes with this process", file, e);
        }
        HELD.remove(file);
    }
}
