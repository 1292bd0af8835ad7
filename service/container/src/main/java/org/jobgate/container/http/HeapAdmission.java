// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.jobgate.container.tls.RefusalLog;

/**
 * Closes connections as they come, before their handshakes, while the heap has no room.
 *
 * <p>It must be told last of all listeners: another thread tells them of the end as soon as the connection is closed, and who then has
 * not been told of the beginning would remember it for ever.
 */
final class HeapAdmission implements Connection.Listener {

    private final HeapRoom heap;
    private final RefusalLog refusals;

    HeapAdmission(HeapRoom heap, RefusalLog refusals) {
        this.heap = requireNonNull(heap, "heap is null");
        this.refusals = requireNonNull(refusals, "refusals is null");
    }

    @Override
    public void onOpened(Connection connection) {
        // the TLS layer below is told first, before the others know of the HTTP layer
        if (connection instanceof ConnectionMetaData && heap.isFull()) {
            refusals.refused("connections", "new clients", HeapRoom.REMEDY);
            connection.getEndPoint().close();
        }
    }
}
