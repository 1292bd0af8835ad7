// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.perf.wire;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;

/** What the clients of all protocols are: one keep-alive connection, for one thread, which closes with the client. */
public abstract class WireClient implements Closeable {

    private final HttpsConnection connection;

    WireClient(HttpsConnection connection) {
        this.connection = requireNonNull(connection, "connection is null");
    }

    /** The connection over which the client speaks. */
    public final HttpsConnection connection() {
        return connection;
    }

    @Override
    public final void close() throws IOException {
        connection.close();
    }
}
