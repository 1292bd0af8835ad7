// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;

/**
 * A file that is being read.
 *
 * @param start offset of the first byte that {@code bytes} gives
 * @param size of the whole file in bytes; {@link #UNKNOWN} where the protocol does not say
 * @param version another one for another content, as far as the protocol can tell; empty where it cannot, then nothing is resumed. At
 *     most 256 characters, none of them a space
 * @param bytes to be closed by {@link #close}; ends with an exception, not early, where the connection breaks
 */
public record Source(long start, long size, String version, InputStream bytes) implements AutoCloseable {

    public static final long UNKNOWN = -1;

    private static final int MAX_VERSION = 256;

    public Source {
        requireNonNull(version, "version is null");
        requireNonNull(bytes, "bytes is null");
        if (start < 0 || size < UNKNOWN) {
            throw new IllegalArgumentException("a source of " + size + " bytes from " + start);
        }
        if (version.length() > MAX_VERSION || version.chars().anyMatch(c -> c <= ' ')) {
            throw new IllegalArgumentException("not a version: " + version);
        }
    }

    /**
     * Checks that all of it was written.
     *
     * @param end offset at which what was read of it ended
     * @param there how many bytes the server says that it has
     * @throws TransferException which says that another attempt can help
     */
    public void requireWhole(long end, long there) throws TransferException {
        long wanted = size == UNKNOWN ? end : size;
        if (end != wanted || there != end) {
            throw new TransferException(
                    TransferException.Kind.TRANSIENT,
                    "of " + wanted + " bytes " + end + " came, and the server has " + there,
                    "Try again later; let nothing change the source until it is fetched.");
        }
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
