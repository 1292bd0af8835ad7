// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.gridftp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Extended block mode, from us: as many connections as there are streams, each takes the next block when it has sent the last. A single
 * one is not closed, for the next file can go over it (GFD.020, section 3.5.1: EOD without CLOSE).
 */
final class BlockPut extends DataTask {

    private final List<DataAddress> addresses;
    private final Cutter blocks;
    private volatile @Nullable DataSocket single;

    /** To where the server listens. */
    BlockPut(DataPlan plan, List<DataAddress> addresses, Cutter blocks) {
        super(plan);
        this.addresses = addresses;
        this.blocks = blocks;
    }

    /** Over a connection that another transfer has left. */
    BlockPut(DataPlan plan, DataSocket left, Cutter blocks) throws IOException {
        this(plan, List.of(), blocks);
        single = keep(left);
    }

    @Override
    void run() throws IOException {
        int streams = plan().options().streams();
        if (streams == 1) {
            DataSocket left = single;
            DataSocket data = left != null ? left : connect(addresses.get(0));
            single = data;
            send(data, 1, BlockHeader.EOD);
            return;
        }
        Together senders = new Together(this);
        for (int i = 0; i < streams; i++) {
            DataAddress address = addresses.get(i % addresses.size());
            boolean first = i == 0;
            senders.start(() -> {
                try (DataSocket data = connect(address)) {
                    send(data, first ? streams : 0, BlockHeader.EOD | BlockHeader.CLOSE);
                }
            });
        }
        senders.join();
    }

    /** Sends blocks until there are none; the first connection also says how many there are. */
    private void send(DataSocket data, int streams, int last) throws IOException {
        if (streams > 0) {
            data.write(new BlockHeader(BlockHeader.EOF, 0, streams).bytes(), 0, BlockHeader.LENGTH);
        }
        ByteBuffer buffer = ByteBuffer.allocate(plan().options().blockSize());
        for (long offset = blocks.next(buffer); offset >= 0; offset = blocks.next(buffer)) {
            data.write(new BlockHeader(0, buffer.limit(), offset).bytes(), 0, BlockHeader.LENGTH);
            data.write(buffer.array(), 0, buffer.limit());
            plan().meter().sent(buffer.limit());
        }
        data.write(new BlockHeader(last, 0, 0).bytes(), 0, BlockHeader.LENGTH);
    }

    @Override
    @Nullable
    DataSocket leave() {
        return single != null && release() ? single : null;
    }
}
