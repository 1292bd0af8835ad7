// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * How a file is moved. Begin with {@link #STREAM} or {@link #EXTENDED} and change what should be different.
 *
 * @param mode stream or extended block mode
 * @param streams parallel data connections; 1 in stream mode
 * @param tcpBuffer bytes of the TCP buffers ({@code SBUF}); 0 leaves it to the systems
 * @param blockSize bytes of a block that this client sends in extended block mode
 * @param authentication who must be at the other end of the data channels
 * @param protection of the data channels
 * @param striped several addresses instead of one ({@code SPAS}, {@code SPOR}); extended block mode, third party only
 * @param part which part of the source file; null for the whole
 * @param restartFrom what an earlier attempt has moved already. In stream mode only its prefix counts
 */
public record TransferOptions(
        Mode mode,
        int streams,
        int tcpBuffer,
        int blockSize,
        DataAuthentication authentication,
        Protection protection,
        boolean striped,
        @Nullable Part part,
        ByteRanges restartFrom) {

    /** Largest block that we send. */
    public static final int MAX_BLOCK = 16 * 1024 * 1024;

    /** One stream, authenticated, clear. */
    public static final TransferOptions STREAM = new TransferOptions(
            Mode.STREAM, 1, 0, 256 * 1024, DataAuthentication.SELF, Protection.CLEAR, false, null, ByteRanges.NONE);

    /** Extended block mode, one stream, authenticated, clear. */
    public static final TransferOptions EXTENDED = new TransferOptions(
            Mode.EXTENDED, 1, 0, 256 * 1024, DataAuthentication.SELF, Protection.CLEAR, false, null, ByteRanges.NONE);

    /**
     * A part of the source ({@code ERET P}), and where it goes ({@code ESTO A}).
     *
     * @param offset of its first byte in the source
     * @param length how many bytes, at least 1
     * @param destination offset at which it is written
     */
    public record Part(long offset, long length, long destination) {

        /** Checks the signs. */
        public Part {
            if (offset < 0 || length < 1 || destination < 0) {
                throw new IllegalArgumentException(
                        "not a part of a file: offset " + offset + ", length " + length + ", to " + destination);
            }
        }
    }

    /** Checks what does not go together. */
    public TransferOptions {
        requireNonNull(mode, "mode is null");
        requireNonNull(authentication, "authentication is null");
        requireNonNull(protection, "protection is null");
        requireNonNull(restartFrom, "restartFrom is null");
        if (streams < 1 || (mode == Mode.STREAM && (streams > 1 || striped))) {
            throw new IllegalArgumentException(
                    streams + " streams, striped " + striped + ": stream mode has exactly one");
        }
        if (tcpBuffer < 0 || blockSize < 1 || blockSize > MAX_BLOCK) {
            throw new IllegalArgumentException(
                    "tcpBuffer " + tcpBuffer + " (at least 0), blockSize " + blockSize + " (1 to " + MAX_BLOCK + ")");
        }
        if (protection != Protection.CLEAR && authentication.kind() == DataAuthentication.Kind.NONE) {
            throw new IllegalArgumentException("a data channel is protected only if it is authenticated");
        }
        if (part != null && !restartFrom.ranges().isEmpty()) {
            throw new IllegalArgumentException(
                    "a part is not restarted by ranges: ask for the part of it that is missing");
        }
    }

    /** The same with so many streams. */
    public TransferOptions withStreams(int count) {
        return new TransferOptions(
                mode, count, tcpBuffer, blockSize, authentication, protection, striped, part, restartFrom);
    }

    /** The same with these sizes in bytes. */
    public TransferOptions withBuffers(int tcp, int block) {
        return new TransferOptions(mode, streams, tcp, block, authentication, protection, striped, part, restartFrom);
    }

    /** The same with this authentication and protection. */
    public TransferOptions withSecurity(DataAuthentication who, Protection how) {
        return new TransferOptions(mode, streams, tcpBuffer, blockSize, who, how, striped, part, restartFrom);
    }

    /** The same, striped. */
    public TransferOptions withStripes() {
        return new TransferOptions(
                mode, streams, tcpBuffer, blockSize, authentication, protection, true, part, restartFrom);
    }

    /** The same for a part. */
    public TransferOptions withPart(Part which) {
        return new TransferOptions(
                mode, streams, tcpBuffer, blockSize, authentication, protection, striped, which, restartFrom);
    }

    /** The same, going on behind what has arrived. */
    public TransferOptions withRestart(ByteRanges arrived) {
        return new TransferOptions(
                mode, streams, tcpBuffer, blockSize, authentication, protection, striped, part, arrived);
    }
}
