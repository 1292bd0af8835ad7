// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.http;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jobgate.container.tls.RefusalLog;

/**
 * Turns away what is over the number of connections or of concurrent requests, with the limit, its value and the count, instead of
 * letting everybody wait.
 *
 * <p>A connection over the limit that {@link SurplusConnections} lets on is taken all the same, so that its first request can be answered with
 * the refusal; it is closed then. Only far above the limit does the connector stop to accept ({@link HttpService}).
 *
 * <p>While the heap has no room ({@link HeapRoom}), requests are turned away with their connections.
 */
final class LoadLimits extends Handler.Wrapper implements Connection.Listener {

    private final int maxConnections;
    private final int maxRequests;
    private final HeapRoom heap;
    private final RefusalLog refusals;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final Set<Connection> surplus = ConcurrentHashMap.newKeySet();

    LoadLimits(int maxConnections, int maxRequests, HeapRoom heap, RefusalLog refusals, Handler next) {
        super(requireNonNull(next, "next is null"));
        this.heap = requireNonNull(heap, "heap is null");
        this.refusals = requireNonNull(refusals, "refusals is null");
        this.maxConnections = maxConnections;
        this.maxRequests = maxRequests;
    }

    @Override
    public void onOpened(Connection connection) {
        // the TLS layer is told as well: only the HTTP layer above it is counted
        if (connection instanceof ConnectionMetaData && connections.incrementAndGet() > maxConnections) {
            surplus.add(connection);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof ConnectionMetaData) {
            connections.decrementAndGet();
            surplus.remove(connection);
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (surplus.contains(request.getConnectionMetaData().getConnection())) {
            Refusal.busy("limits.maxConnections", maxConnections, connections.get(), "open connections")
                    .write(request, response, callback);
            return true;
        }
        if (heap.isFull()) {
            refusals.refused("requests", "clients", HeapRoom.REMEDY);
            Refusal.noRoom().write(request, response, callback);
            return true;
        }
        int count = requests.incrementAndGet();
        Request.addCompletionListener(request, failure -> requests.decrementAndGet());
        if (count > maxRequests) {
            Refusal.busy("limits.maxConcurrentRequests", maxRequests, count, "requests at once")
                    .write(request, response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    int connections() {
        return connections.get();
    }

    int requests() {
        return requests.get();
    }
}
