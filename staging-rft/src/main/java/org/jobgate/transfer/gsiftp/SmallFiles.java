// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.gsiftp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jobgate.gridftp.DataSink;
import org.jobgate.gridftp.Fault;
import org.jobgate.gridftp.GridFtpException;
import org.jobgate.gridftp.GridFtpSession;
import org.jobgate.gridftp.ServerAddress;
import org.jobgate.gridftp.TransferListener;
import org.jobgate.gridftp.TransferOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches small files as a whole, in extended block mode: the server connects to this machine, and the connection stays for the next one. A
 * server that fails at it is spared for a while; it may be one that cannot get here.
 */
final class SmallFiles {

    private static final Logger LOG = LoggerFactory.getLogger(SmallFiles.class);

    /** Bytes. */
    private static final long MOST = 256L * 1024;

    private static final Duration SPARED = Duration.ofMinutes(10);
    private static final int MOST_SPARED = 1000;

    private final LongSupplier nanos;
    private final Map<ServerAddress, Long> sparedUntil = new ConcurrentHashMap<>();

    /** @param nanos the time, as {@link System#nanoTime} has it */
    SmallFiles(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Whether such a file of this server is fetched so.
     *
     * @param size in bytes; below 0 where it is not known
     */
    boolean takes(ServerAddress server, long size) {
        if (size < 0 || size > MOST) {
            return false;
        }
        Long until = sparedUntil.get(server);
        if (until != null && until - nanos.getAsLong() <= 0) {
            sparedUntil.remove(server, until);
            return true;
        }
        return until == null;
    }

    /** Gives the file on when all of it is here: its parts may come in any order. */
    void fetch(GridFtpSession session, String path, int size, TransferOptions options, DataSink sink)
            throws IOException {
        ByteBuffer whole = ByteBuffer.allocate(size);
        DataSink parts = (position, bytes) -> {
            if (position + bytes.remaining() > size) {
                throw new IOException("the file had " + size + " bytes, and more come");
            }
            whole.duplicate().position((int) position).put(bytes);
        };
        try {
            long came = session.get(path, parts, options, TransferListener.NONE).bytes();
            if (came != size) {
                throw new IOException("the file had " + size + " bytes, and " + came + " have come");
            }
        } catch (GridFtpException e) {
            if (e.fault() != Fault.NOT_FOUND && e.fault() != Fault.DENIED) {
                spare(e.server(), e.getMessage());
            }
            throw e;
        }
        sink.write(0, whole);
    }

    void spare(ServerAddress server, @Nullable String why) {
        if (sparedUntil.size() >= MOST_SPARED) {
            sparedUntil.clear();
        }
        if (sparedUntil.put(server, nanos.getAsLong() + SPARED.toNanos()) == null) {
            LOG.info(
                    "{} is not let connect to this machine for {} minutes, but connected to for each file: {}",
                    server,
                    SPARED.toMinutes(),
                    why);
        }
    }
}
