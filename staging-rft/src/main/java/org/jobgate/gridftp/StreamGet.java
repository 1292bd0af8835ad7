// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Stream mode, towards us: all bytes until the connection ends. */
final class StreamGet extends DataTask {

    private final DataAddress address;
    private final DataSink sink;
    private final long from;

    StreamGet(DataPlan plan, DataAddress address, DataSink sink, long from) {
        super(plan);
        this.address = address;
        this.sink = sink;
        this.from = from;
    }

    @Override
    void run() throws IOException {
        DataSocket data = connect(address);
        byte[] buffer = new byte[256 * 1024];
        long position = from;
        for (int count = data.read(buffer, 0, buffer.length); count >= 0; count = data.read(buffer, 0, buffer.length)) {
            try {
                sink.write(position, ByteBuffer.wrap(buffer, 0, count));
            } catch (IOException e) {
                throw new LocalDataException(e);
            }
            plan().meter().received(position, count);
            position += count;
        }
    }
}
