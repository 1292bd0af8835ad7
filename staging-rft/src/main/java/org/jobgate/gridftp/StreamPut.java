// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Stream mode, from us: all bytes in order, then the end of the connection. */
final class StreamPut extends DataTask {

    private final DataAddress address;
    private final Cutter blocks;

    StreamPut(DataPlan plan, DataAddress address, Cutter blocks) {
        super(plan);
        this.address = address;
        this.blocks = blocks;
    }

    @Override
    void run() throws IOException {
        try (DataSocket data = connect(address)) {
            ByteBuffer buffer = ByteBuffer.allocate(plan().options().blockSize());
            while (blocks.next(buffer) >= 0) {
                data.write(buffer.array(), 0, buffer.limit());
                plan().meter().sent(buffer.limit());
            }
        }
    }
}
