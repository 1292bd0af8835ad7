// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import java.io.IOException;
import java.io.InputStream;

/** A stream that is read block by block, with no other beneath it: a single byte is a block of one. */
public abstract class BlockInputStream extends InputStream {

    /** Reads up to so many bytes, at least one unless none is asked for; -1 at the end. */
    @Override
    public abstract int read(byte[] into, int from, int length) throws IOException;

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }
}
