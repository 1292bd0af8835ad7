// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.nio.ByteBuffer;

/**
 * What stands before each block of extended block mode (GFD.020, section "Extended Block Mode"): a byte of flags, the number of bytes
 * that follow, and their offset in the file, both as 64 bits. With {@link #EOF} the offset is the number of EODs to expect.
 */
record BlockHeader(int flags, long count, long offset) {

    /** Bytes of a header. */
    static final int LENGTH = 17;

    /** In this header the offset says how many data connections say EOD. */
    static final int EOF = 64;

    /** Nothing more of this file comes over this connection. */
    static final int EOD = 8;

    /** The sender closes this connection. */
    static final int CLOSE = 4;

    static BlockHeader of(byte[] bytes) throws MalformedReplyException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        BlockHeader header = new BlockHeader(buffer.get() & 0xff, buffer.getLong(), buffer.getLong());
        boolean isEnd = header.has(EOF);
        if (header.count < 0 || header.offset < 0 || header.offset + header.count < 0 || (isEnd && header.count > 0)) {
            throw new MalformedReplyException("a block with flags " + header.flags + ", " + header.count
                    + " bytes at offset " + header.offset + " cannot be");
        }
        return header;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    byte[] bytes() {
        return ByteBuffer.allocate(LENGTH)
                .put((byte) flags)
                .putLong(count)
                .putLong(offset)
                .array();
    }
}
