// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Extended block mode, from us: as many connections as there are streams, each takes the next block when it has sent the last. */
final class BlockPut extends DataTask {

    private final List<DataAddress> addresses;
    private final Cutter blocks;

    BlockPut(DataPlan plan, List<DataAddress> addresses, Cutter blocks) {
        super(plan);
        this.addresses = addresses;
        this.blocks = blocks;
    }

    @Override
    void run() throws IOException {
        int streams = plan().options().streams();
        Together senders = new Together(this);
        for (int i = 0; i < streams; i++) {
            DataAddress address = addresses.get(i % addresses.size());
            boolean first = i == 0;
            senders.start(() -> send(address, first ? streams : 0));
        }
        senders.join();
    }

    /** Sends blocks until there are none; the first connection also says how many there are. */
    private void send(DataAddress address, int streams) throws IOException {
        try (DataSocket data = connect(address)) {
            if (streams > 0) {
                data.write(new BlockHeader(BlockHeader.EOF, 0, streams).bytes(), 0, BlockHeader.LENGTH);
            }
            ByteBuffer buffer = ByteBuffer.allocate(plan().options().blockSize());
            for (long offset = blocks.next(buffer); offset >= 0; offset = blocks.next(buffer)) {
                data.write(new BlockHeader(0, buffer.limit(), offset).bytes(), 0, BlockHeader.LENGTH);
                data.write(buffer.array(), 0, buffer.limit());
                plan().meter().sent(buffer.limit());
            }
            data.write(new BlockHeader(BlockHeader.EOD | BlockHeader.CLOSE, 0, 0).bytes(), 0, BlockHeader.LENGTH);
        }
    }
}
